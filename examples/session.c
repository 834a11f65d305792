// SPDX-License-Identifier: MIT
//
// A server handles a request in two stages, begin and finish; its threads take whatever stage is next.
//
// What is wrong: begin leaves the user of the request in a thread-local variable, and finish reads it there. When
// another thread finishes the request, it acts for another user, or for none. session_fixed.c keeps the user in the
// request.
//
// expect: exit=1 bug=assertion line=BUG runs<=200
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define REQUESTS 2

struct request {
  int user;
  bool begun, finished;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct request requests[REQUESTS] = {{.user = 101}, {.user = 102}};
static _Thread_local int current_user;

static void begin(struct request *request) {
  current_user = request->user;
  request->begun = true;
}

static void finish(struct request *request) {
  assert(current_user == request->user); // BUG
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
