// SPDX-License-Identifier: MIT
//
// refcount_fixed.c in C++: a buffer with two users; the last one deletes it, as std::shared_ptr does.
//
// heddle: -std=c++20
// expect: exit=0 verdict=clean complete=true warnings=0
#include <array>
#include <memory>
#include <thread>
#include <utility>

using Buffer = std::array<char, 64>;

int main() {
  auto first = std::make_shared<Buffer>(), second = first;
  std::jthread one([mine = std::move(first)]() mutable { mine.reset(); });
  std::jthread two([mine = std::move(second)]() mutable { mine.reset(); });
}
