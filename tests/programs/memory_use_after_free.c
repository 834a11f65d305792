// SPDX-License-Identifier: MIT
// A reader that may come after the free: found although the first run reads in time. The report has the block's story.
// expect: exit=1 bug=memory line=BUG
// expect: message~"read of 4 bytes that have been freed: heap block 1 of main (+4), allocated at"
// expect: message~"memory_use_after_free.c:29 (40 bytes), freed by main at"
#include <pthread.h>
#include <stdlib.h>

struct record {
  int a[10];
};

static struct record *record;
static int seen;

static void *reader(void *unused) {
  seen = record->a[1]; /* BUG */
  return NULL;
}

static void use(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  free(record);
  pthread_join(t, NULL);
}

int main(void) {
  record = malloc(sizeof *record);
  for (int i = 0; i < 10; i++) record->a[i] = i;
  use();
  return 0;
}
