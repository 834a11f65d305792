// SPDX-License-Identifier: MIT
// exit is not a return, and main's stack stays when only its thread ends: its variables are alive.
// As frame_exit.c, with exit.
// expect: exit=0 verdict=clean complete=true
#include <pthread.h>
#include <stdlib.h>

static void *writer(void *argument) {
  *(int *)argument = 1;
  return NULL;
}

int main(int argc, char **argv) {
  int number = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, writer, &number);
  if (argc > 1) pthread_exit(NULL);
  exit(0);
}
