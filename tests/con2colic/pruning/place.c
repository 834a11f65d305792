/* SPDX-License-Identifier: MIT
 *
 * With COPIES, a value that a thread reads is an address: every value that it can have is a path of its own.
 */
#include <pthread.h>

enum { SIZE = 6, LENGTH = 2 };

#ifdef COPIES
static char buffer[SIZE + 1];
#endif
static int used;

static void *writer(void *unused) {
  const int place = used;
  if (place > SIZE) return unused;
#ifdef COPIES
  buffer[place] = 'a';
#endif
  used = place + LENGTH;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, writer, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
