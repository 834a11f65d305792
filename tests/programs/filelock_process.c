// SPDX-License-Identifier: MIT
// Locks by F_SETLKW belong to the process: two threads have them at the same time, and the update is lost.
// expect: exit=1 bug=assertion
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int sum;
static int file;

static void *add(void *unused) {
  struct flock lock = {.l_type = F_WRLCK};
  if (fcntl(file, F_SETLKW, &lock)) _exit(1);
  atomic_store(&sum, atomic_load(&sum) + 1);
  lock.l_type = F_UNLCK;
  fcntl(file, F_SETLK, &lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  file = open("filelock_process.tmp", O_RDWR | O_CREAT, 0600);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(atomic_load(&sum) == 2);
  return 0;
}
