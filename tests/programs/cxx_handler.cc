// A program's own terminate handler is called: here it ends the program well, with what it could find out.
// expect: exit=0 verdict=clean complete=true runs=2
// observe: handled=1
// observe: handled=0
#include <atomic>
#include <cstdlib>
#include <exception>
#include <heddle.h>
#include <thread>

std::atomic<bool> early;

int main() {
  std::set_terminate([] {
    heddle_observe("handled", std::current_exception() != nullptr);
    std::_Exit(0);
  });
  std::thread other([] { early = true; });
  const bool fails = early;
  other.join();
  if (fails) throw 1;
  std::terminate();
}
