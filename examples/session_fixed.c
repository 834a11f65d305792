// SPDX-License-Identifier: MIT
//
// session.c repaired: what belongs to a request is kept in the request, not in the thread that happened to begin it.
//
// expect: exit=0 verdict=clean warnings=0 runs=120
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define REQUESTS 2

struct request {
  int user, acting_user;
  bool begun, finished;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct request requests[REQUESTS] = {{.user = 101}, {.user = 102}};

static void begin(struct request *request) {
  request->acting_user = request->user;
  request->begun = true;
}

static void finish(struct request *request) {
  assert(request->acting_user == request->user);
  request->finished = true;
}

// Performs one stage of the request; false when there is none left.
static bool step(struct request *request) {
  pthread_mutex_lock(&mutex);
  const bool more = !request->finished;
  if (!request->begun)
    begin(request);
  else if (more)
    finish(request);
  pthread_mutex_unlock(&mutex);
  return more;
}

static void *serve(void *unused) {
  for (int i = 0; i < REQUESTS; i++)
    while (step(&requests[i])) {
    }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, serve, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
