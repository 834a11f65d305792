// Two threads that both believe to own an object.
// heddle: --strategy optimal
// expect: exit=1 bug=memory line=BUG
#include <atomic>
#include <thread>

std::atomic<int *> shared;

static void drop() {
  int *mine = shared;
  shared = nullptr;
  delete mine; // BUG
}

int main() {
  shared = new int(1);
  std::thread other(drop);
  drop();
  other.join();
}
