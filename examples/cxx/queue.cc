// SPDX-License-Identifier: MIT
//
// queue.c in C++: a queue of one place, a producer and two consumers.
//
// What is wrong: a consumer checks its condition once, with `if`. It can be woken, and before it has the lock again the
// other consumer takes the item: it then takes one that is not there. queue_fixed.cc gives the condition to wait().
//
// heddle: -std=c++20
// expect: exit=1 bug=assertion line=BUG runs<=200
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Queue {
public:
  void put() {
    std::lock_guard lock(mutex);
    items++;
    changed.notify_all();
  }

  void take() {
    std::unique_lock lock(mutex);
    if (items == 0) changed.wait(lock);
    assert(items > 0); // BUG
    items--;
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  int items = 0;
};

int main() {
  Queue queue;
  std::jthread one([&] { queue.take(); });
  std::jthread two([&] { queue.take(); });
  std::jthread producer([&] {
    queue.put();
    queue.put();
  });
}
