// SPDX-License-Identifier: MIT
//
// queue_fixed.c in C++: a queue of one place, a producer and two consumers.
//
//
// heddle: -std=c++20 --strategy optimal
// expect: exit=0 verdict=clean complete=true
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
    changed.wait(lock, [this] { return items > 0; });
    assert(items > 0);
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
