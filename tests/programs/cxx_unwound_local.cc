// A local variable is gone when an exception has left its function, whoever still has its address.
// heddle: --strategy optimal
// expect: exit=1 bug=memory line=BUG message~"used after the function returned"
#include <atomic>
#include <thread>

std::atomic<int *> where;

void lend() {
  int local = 0;
  where = &local;
  throw 1;
}

int main() {
  std::thread other([] {
    if (int *there = where) *there = 1; // BUG
  });
  try {
    lend();
  } catch (int) {
  }
  other.join();
}
