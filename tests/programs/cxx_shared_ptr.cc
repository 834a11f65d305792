// The counts of std::shared_ptr are atomic, although glibc knows nothing of the program's threads. The last one to let
// go runs the destructor. The runs: each thread looks whether it is alone, and counts down unless it is: both look
// first (2 * 2), or one lets go before the other looks (2).
// expect: exit=0 verdict=clean complete=true warnings=0 runs=6
// observe: last=1
// observe: last=2
#include <heddle.h>
#include <memory>
#include <thread>

static thread_local int me;

struct told {
  ~told() { heddle_observe("last", me); }
};

int main() {
  auto pointer = std::make_shared<told>();
  std::thread a([mine = pointer]() mutable {
    me = 1;
    mine.reset();
  });
  std::thread b([mine = std::move(pointer)]() mutable {
    me = 2;
    mine.reset();
  });
  a.join();
  b.join();
}
