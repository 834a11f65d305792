// SPDX-License-Identifier: MIT
//
// counter.c in C++: two workers count their finished jobs in one counter.
//
// What is wrong: `done++` reads, adds and writes; a worker can overwrite what the other wrote between its read and its
// write. With std::atomic<int> it would be right.
//
// heddle: -std=c++20
// expect: exit=1 bug=assertion line=BUG runs<=200
#include <cassert>
#include <thread>
#include <vector>

constexpr int jobs = 2;
static int done;

int main() {
  std::vector<std::thread> workers;
  for (int i = 0; i < 2; i++)
    workers.emplace_back([] {
      for (int job = 0; job < jobs; job++) done++;
    });
  for (auto &worker : workers) worker.join();
  assert(done == 2 * jobs); // BUG
}
