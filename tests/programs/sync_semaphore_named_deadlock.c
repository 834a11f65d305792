// SPDX-License-Identifier: MIT
// A thread waits for a named semaphore that nobody posts to.
// expect: exit=1 bug=deadlock line=BUG message~"main waits for semaphore"
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
  sem_t *empty = sem_open("/empty", O_CREAT, 0600, 0);
  sem_wait(empty); // BUG
  return 0;
}
