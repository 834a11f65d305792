// SPDX-License-Identifier: MIT
//
// bank.c repaired: accounts are always locked in the order of their numbers.
//
// expect: exit=0 verdict=clean warnings=0 runs=2
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
  struct account *first = from->number < to->number ? from : to;
  struct account *second = first == from ? to : from;
  pthread_mutex_lock(&first->mutex);
  pthread_mutex_lock(&second->mutex);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&second->mutex);
  pthread_mutex_unlock(&first->mutex);
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
