// SPDX-License-Identifier: MIT
// Each range that a function of the C library reads or writes is one visible operation: strtol writes where the number
// ends, sscanf writes two numbers, fputs reads a string.
// heddle: --strategy exhaustive --races off
// expect: exit=0 verdict=clean runs=model
// model: write end; write a; write b; read line | write end; read a; write b; write line
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char *end, line[] = "x\n";
static int a, b;

static void *calls(void *argument) {
  static const char text[] = "12 34";
  strtol(text, &end, 10);
  sscanf(text, "%d %d", &a, &b);
  fputs(line, stdout);
  return argument;
}

int main(void) {
  static volatile int kept;
  pthread_t t;
  pthread_create(&t, NULL, calls, NULL);
  end = NULL;
  kept = a;
  b = 1;
  line[0] = 'y';
  pthread_join(t, NULL);
  return kept < 0;
}
