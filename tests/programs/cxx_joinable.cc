// A thread that is neither joined nor detached when its variable goes away ends the program: only if `quick` is seen.
// heddle: --strategy optimal
// expect: exit=1 bug=exception line=BUG message~"std::terminate() called"
// expect: bugs=1
#include <atomic>
#include <thread>

std::atomic<bool> quick;

int main() {
  std::thread other([] { quick = true; });
  if (!quick) other.join();
} // BUG
