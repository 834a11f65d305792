// SPDX-License-Identifier: MIT
//
// singleton.c in C++: a table that is built by whoever needs it first.
//
// What is wrong: the pointer is published before the table is filled. Another thread sees a pointer that is not null,
// skips the lock and reads an empty table. A static variable of the function would be right: the language has the lock.
//
// heddle: -std=c++20
// expect: exit=1 bug=assertion line=BUG runs<=200
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Table {
  int size = 0;
};

static std::mutex mutex;
static std::atomic<Table *> table;

static Table &get_table() {
  if (!table) {
    std::lock_guard lock(mutex);
    if (!table) {
      table = new Table;
      table.load()->size = 16;
    }
  }
  return *table;
}

int main() {
  auto use = [] { assert(get_table().size == 16); }; // BUG
  std::jthread one(use), two(use);
}
