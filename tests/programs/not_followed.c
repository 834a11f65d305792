// SPDX-License-Identifier: MIT
// A function that is neither instrumented nor modelled is named.
// expect: exit=0 output~getloadavg
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *load) {
  getloadavg(load, 1);
  return NULL;
}

int main(void) {
  double load;
  pthread_t t;
  pthread_create(&t, NULL, worker, &load);
  pthread_join(t, NULL);
  return 0;
}
