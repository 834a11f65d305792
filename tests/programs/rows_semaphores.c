// SPDX-License-Identifier: MIT
// Semaphores: values and errors.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

int main(void) {
  sem_t semaphore;
  int value = -1;
  assert(sem_init(&semaphore, 0, (unsigned)SEM_VALUE_MAX + 1u) == -1 && errno == EINVAL);
  assert(sem_init(&semaphore, 0, 1) == 0);
  assert(sem_getvalue(&semaphore, &value) == 0 && value == 1);
  assert(sem_wait(&semaphore) == 0);
  assert(sem_getvalue(&semaphore, &value) == 0 && value == 0);
  assert(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
  assert(sem_post(&semaphore) == 0);
  assert(sem_trywait(&semaphore) == 0);
  assert(sem_destroy(&semaphore) == 0);
  assert(sem_init(&semaphore, 0, SEM_VALUE_MAX) == 0);
  assert(sem_post(&semaphore) == -1 && errno == EOVERFLOW);
  assert(sem_getvalue(&semaphore, &value) == 0 && value == SEM_VALUE_MAX);
  assert(sem_destroy(&semaphore) == 0);
  return 0;
}
