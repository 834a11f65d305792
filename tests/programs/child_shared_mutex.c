// SPDX-License-Identifier: MIT
// A mutex in shared memory, for two processes: not followed.
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"memory that a child process shares"
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const int file = shm_open("/heddle-child", O_CREAT | O_RDWR, 0600);
  assert(file >= 0 && ftruncate(file, 4096) == 0);
  pthread_mutex_t *mutex = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0); // HERE
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(mutex, &attributes);
  shm_unlink("/heddle-child");
  if (fork() == 0) _exit(pthread_mutex_lock(mutex));
  pthread_mutex_lock(mutex);
  wait(NULL);
  assert(0);
  return 0;
}
