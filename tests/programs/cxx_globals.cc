// Constructors of global variables run at the beginning of every run, and may have threads; destructors run at its end,
// in the opposite order, after those that main registered.
// expect: exit=1 bug=assertion line=BUG function=last::~last
// expect: bugs=1
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

static std::atomic<int> order;
static int at_start;

struct first {
  int number;
  first() : number(++at_start) { assert(number == 1); }
  ~first() { assert(order == 3 || order == 13); /* after the other two */ }
} one;

struct last {
  std::thread thread{[] { order.fetch_add(10); }};
  ~last() {
    const int before = order.exchange(3);
    thread.join();
    assert(before >= 10); // BUG
  }
} two;

int main() {
  assert(at_start == 1);
  std::atexit([] { assert(order.fetch_add(1) % 10 == 0); });
}
