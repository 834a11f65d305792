// SPDX-License-Identifier: MIT
//
// bank_fixed.c in C++: two accounts, two transfers in opposite directions, which lock in the order of the numbers.
//
// heddle: -std=c++20
// expect: exit=0 verdict=clean complete=true
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  int number;
  long balance;
  std::mutex mutex;
};

static Account checking{1, 100}, savings{2, 100};

static void transfer(Account &from, Account &to, long amount) {
  std::lock_guard first(from.number < to.number ? from.mutex : to.mutex);
  std::lock_guard second(from.number < to.number ? to.mutex : from.mutex);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  {
    std::jthread save([] { transfer(checking, savings, 30); });
    std::jthread spend([] { transfer(savings, checking, 20); });
  }
  assert(checking.balance == 90 && savings.balance == 110);
}
