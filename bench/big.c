/* SPDX-License-Identifier: MIT
 *
 * 64 MB of live static data, of which a run touches a few pages.
 */
#include <pthread.h>

#define PAGES 16384

struct page {
  int value[1024];
};

static struct page pages[PAGES];
int x;

static void *worker(void *argument) {
  const long thread = (long)argument;
  for (int i = 0; i < 3; i++) {
    x++;
    pages[(thread * 8000 + i * 2001) % PAGES].value[i]++;
  }
  return NULL;
}

__attribute__((constructor)) static void fill(void) {
  for (int i = 0; i < PAGES; i++) pages[i].value[5] = i;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, (void *)0);
  pthread_create(&b, NULL, worker, (void *)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
