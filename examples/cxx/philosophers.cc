// SPDX-License-Identifier: MIT
//
// philosophers.c in C++: three philosophers at a round table, a fork between any two of them.
//
// What is wrong: everybody takes the fork on the left, then the one on the right. When all have the left one, nobody
// can eat, and nobody puts a fork back.
//
// heddle: -std=c++20
// expect: exit=1 bug=deadlock runs<=200
#include <array>
#include <mutex>
#include <thread>

static std::array<std::mutex, 3> forks;

static void dine(std::size_t seat) {
  std::scoped_lock left(forks[seat]);
  std::scoped_lock right(forks[(seat + 1) % forks.size()]);
}

int main() {
  std::array<std::jthread, 3> philosophers;
  for (std::size_t seat = 0; seat < philosophers.size(); seat++) philosophers[seat] = std::jthread(dine, seat);
}
