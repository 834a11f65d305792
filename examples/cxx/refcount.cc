// SPDX-License-Identifier: MIT
//
// refcount.c in C++: a buffer with two users; the last one deletes it.
//
// What is wrong: the count is atomic, but counting down and looking at it are two operations. Both users can count down
// first, and then both see zero: the buffer is deleted twice. refcount_fixed.cc leaves that to std::shared_ptr.
//
// heddle: -std=c++20
// expect: exit=1 bug=memory line=BUG runs<=200
#include <array>
#include <atomic>
#include <thread>

struct Buffer {
  std::atomic<int> users = 2;
  std::array<char, 64> bytes{};

  void release() {
    users--;
    if (users == 0) delete this; // BUG
  }
};

int main() {
  auto *buffer = new Buffer;
  std::jthread one([=] { buffer->release(); });
  std::jthread two([=] { buffer->release(); });
}
