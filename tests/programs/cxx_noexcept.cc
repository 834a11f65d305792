// An exception that would leave a noexcept function, or a thread, ends the program; the place is where it was thrown.
// expect: exit=1 bug=exception line=BUG message="uncaught exception: int" function=fail
// expect: bugs=1
#include <atomic>
#include <thread>

std::atomic<int> turns;

void fail() {
  throw 42; // BUG
}

void last() noexcept {
  if (turns++ == 1) fail();
}

int main() {
  std::thread other(last);
  other.join();
  last();
}
