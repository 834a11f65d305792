// A static variable of a function is initialised once; a thread that comes meanwhile waits; after an exception the next
// one begins again. The runs: who is first. With two attempts of each thread, the first attempt of all fails.
// expect: exit=0 verdict=clean complete=true warnings=0
// observe: made=2 seen=1
// observe: made=2 seen=2
#include <atomic>
#include <cassert>
#include <heddle.h>
#include <thread>

static int made; /* the guard protects it */

struct costly {
  int owner;
  explicit costly(int who) : owner(who) {
    if (++made == 1) throw who;
  }
};

static int get(int who) {
  for (;;) try {
      static costly value(who);
      return value.owner;
    } catch (int failed) {
      assert(failed == who);
    }
}

int main() {
  int one = 0, two = 0;
  std::thread a([&] { one = get(1); }), b([&] { two = get(2); });
  a.join();
  b.join();
  assert(one == two);
  heddle_observe("made", made);
  heddle_observe("seen", one);
}
