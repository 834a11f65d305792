// SPDX-License-Identifier: MIT
// A named semaphore that a child would use as well: not followed.
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"named semaphore"
#include <fcntl.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  sem_t *semaphore = sem_open("/heddle-child", O_CREAT, 0600, 0);
  if (fork() == 0) _exit(sem_post(semaphore)); // HERE
  sem_wait(semaphore);
  wait(NULL);
  return 0;
}
