// SPDX-License-Identifier: MIT
// The example of the unfolding papers (slide 23, Fig. 9): one thread reads x and branches on it, the other sets x to an
// input. When the read comes first it finds 0; when it comes last its branch has two sides: three runs.
// heddle: --strategy dpor-2 --races off
// expect: runs=3 blocked_runs=0 paths=3 verdict=clean complete=true
// observe: positive=0
// observe: positive=1
#include <heddle.h>
#include <pthread.h>

static int x, positive;

static void *reader(void *unused) {
  const int a = x;
  if (a > 0) positive = 1;
  return NULL;
}

static void *writer(void *unused) {
  const int b = x;
  if (b == 0) x = heddle_input_int("value");
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, writer, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  heddle_observe("positive", positive);
  return 0;
}
