// SPDX-License-Identifier: MIT
//
// Two accounts, two transfers in opposite directions.
//
// What is wrong: a transfer locks the account it takes from first. Two transfers in opposite directions can each hold
// one account and wait for the other forever. bank_fixed.c locks in the order of the account numbers.
//
// expect: exit=1 bug=deadlock runs<=200
#include <assert.h>
#include <pthread.h>

struct account {
  int number;
  long balance;
  pthread_mutex_t mutex;
};

static struct account checking = {1, 100, PTHREAD_MUTEX_INITIALIZER};
static struct account savings = {2, 100, PTHREAD_MUTEX_INITIALIZER};

static void transfer(struct account *from, struct account *to, long amount) {
  pthread_mutex_lock(&from->mutex);
  pthread_mutex_lock(&to->mutex);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->mutex);
  pthread_mutex_unlock(&from->mutex);
}

static void *save(void *unused) {
  transfer(&checking, &savings, 30);
  return NULL;
}

static void *spend(void *unused) {
  transfer(&savings, &checking, 50);
  return NULL;
}

int main(void) {
  pthread_t saver, spender;
  pthread_create(&saver, NULL, save, NULL);
  pthread_create(&spender, NULL, spend, NULL);
  pthread_join(saver, NULL);
  pthread_join(spender, NULL);
  assert(checking.balance == 120 && savings.balance == 80);
  return 0;
}
