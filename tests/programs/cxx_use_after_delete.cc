// new and delete are the heap's: use after delete, with where it was made and deleted.
// heddle: --strategy optimal
// expect: exit=1 bug=memory line=BUG message~"freed"
#include <atomic>
#include <memory>
#include <thread>

struct node {
  int value = 1;
};

std::atomic<node *> shared;

int main() {
  shared = new node;
  std::thread other([] { delete shared.exchange(nullptr); });
  if (node *mine = shared) mine->value++; // BUG
  other.join();
}
