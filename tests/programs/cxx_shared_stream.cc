// A stream of the program that several threads use is in code that heddle does not follow: it says so.
// expect: exit=3 verdict=incomplete bugs=0 warning~"std::ostream::operator<<"
#include <mutex>
#include <sstream>
#include <thread>

std::mutex mutex;
std::ostringstream both;

static void work(int number) {
  std::lock_guard lock(mutex);
  both << number;
}

int main() {
  std::thread a(work, 1), b(work, 2);
  a.join();
  b.join();
}
