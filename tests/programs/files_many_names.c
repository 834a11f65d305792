// SPDX-License-Identifier: MIT
// Hundreds of names, and a signal handler of the runtime that works meanwhile: each name keeps its file.
// expect: exit=0 verdict=clean runs=1 bugs=0
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define NAMES 200

static volatile unsigned long sum;

int main(void) {
  char name[32];
  for (int i = 0; i < NAMES; i++) {
    snprintf(name, sizeof name, "name%d", i);
    const int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
    assert(file >= 0 && write(file, &i, sizeof i) == sizeof i && close(file) == 0);
  }
  for (unsigned long i = 0; i < 20000000; i++) sum += i; /* long enough for a tick */
  for (int i = 0; i < NAMES; i++) {
    int value = -1;
    snprintf(name, sizeof name, "name%d", i);
    const int file = open(name, O_RDONLY);
    assert(file >= 0 && read(file, &value, sizeof value) == sizeof value && value == i && close(file) == 0);
  }
  return 0;
}
