/* SPDX-License-Identifier: MIT
 *
 * The frame of the compute-bound programs: main starts a second thread, which waits for a semaphore until the work is
 * done, so that the program is multithreaded while it computes; main calls compute() and appends the seconds it took
 * and its result to the file its argument names. Time and file go through system calls, since heddle's time is virtual.
 */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static unsigned long compute(void);

static sem_t finished;

static double now(void) {
  struct timespec time;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void *idle(void *unused) {
  sem_wait(&finished);
  return NULL;
}

int main(int argc, char **argv) {
  sem_init(&finished, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, idle, NULL);
  const double start = now();
  const unsigned long result = compute();
  const double seconds = now() - start;
  sem_post(&finished);
  pthread_join(thread, NULL);
  char line[100];
  const int length = snprintf(line, sizeof line, "seconds %.4f result %lu\n", seconds, result);
  const long file = argc > 1 ? syscall(SYS_open, argv[1], O_WRONLY | O_APPEND | O_CREAT, 0666) : 2;
  syscall(SYS_write, file, line, length);
  return 0;
}
