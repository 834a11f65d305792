// SPDX-License-Identifier: MIT
// Locks of bytes by F_OFD_SETLKW keep two openings of a file apart: each thread holds what it has while it adds 1. One
// locks before the other: two orders. Where nothing is locked the update is lost, which files_lost_update.c shows.
// expect: exit=0 verdict=clean complete=true runs=2
// observe: sum=2
#define _GNU_SOURCE
#include "heddle.h"
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#define NAME "filelock_count.tmp"

static int sum;

static void *add(void *unused) {
  struct flock lock = {.l_type = F_WRLCK, .l_start = 3, .l_len = 4};
  const int file = open(NAME, O_RDWR);
  if (fcntl(file, F_OFD_SETLKW, &lock)) _exit(1);
  sum = sum + 1;
  lock.l_type = F_UNLCK;
  if (fcntl(file, F_OFD_SETLK, &lock)) _exit(1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  close(open(NAME, O_RDWR | O_CREAT, 0600));
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  heddle_observe("sum", sum);
  return 0;
}
