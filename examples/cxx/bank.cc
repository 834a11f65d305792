// SPDX-License-Identifier: MIT
//
// bank.c in C++: two accounts, two transfers in opposite directions.
//
// What is wrong: a transfer locks the account it takes from first. Two transfers in opposite directions can each hold
// one account and wait for the other forever. bank_fixed.cc locks in the order of the account numbers.
//
// heddle: -std=c++20
// expect: exit=1 bug=deadlock runs<=200
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
  std::lock_guard first(from.mutex);
  std::lock_guard second(to.mutex);
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
