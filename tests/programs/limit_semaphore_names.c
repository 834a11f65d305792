// SPDX-License-Identifier: MIT
// More named semaphores than heddle has room for.
// expect: exit=3 verdict=incomplete bugs=0 output~"64 names of semaphores"
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
  for (int i = 0; i < 65; i++) {
    char name[] = {'/', 'n', (char)('A' + i / 10), (char)('0' + i % 10), 0};
    assert(sem_open(name, O_CREAT, 0600, 0) != SEM_FAILED);
  }
  return 0;
}
