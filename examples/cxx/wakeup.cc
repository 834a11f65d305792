// SPDX-License-Identifier: MIT
//
// wakeup.c in C++: a worker sleeps until there is work.
//
// What is wrong: the worker looks at `work` before it takes the lock. When the signal comes between the look and the
// wait, nobody hears it and the worker sleeps forever.
//
// heddle: -std=c++20
// expect: exit=1 bug=deadlock runs<=200
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable arrived;
static bool work;

int main() {
  std::jthread worker([] {
    while (!work) {
      std::unique_lock lock(mutex);
      arrived.wait(lock);
    }
  });
  std::lock_guard lock(mutex);
  work = true;
  arrived.notify_one();
}
