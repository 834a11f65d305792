// SPDX-License-Identifier: MIT
//
// A caller starts a request and waits for its completion on a condition variable; then it frees the request.
//
// What is wrong: complete sets `done`, and only then locks and signals. The caller, which is not waiting yet, sees
// `done`, does not wait and frees the request; the other thread then uses a mutex and a condition variable that no
// longer exist. completion_fixed.c does everything under the lock, and the caller joins before it frees.
//
// expect: exit=1 bug=memory runs<=200
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct request {
  pthread_mutex_t mutex;
  pthread_cond_t completed;
  atomic_int done;
};

static void complete(struct request *request) {
  request->done = 1;
  pthread_mutex_lock(&request->mutex);
  pthread_cond_signal(&request->completed);
  pthread_mutex_unlock(&request->mutex);
}

static void *serve(void *request) {
  complete(request);
  return NULL;
}

static void await(struct request *request) {
  pthread_mutex_lock(&request->mutex);
  while (!request->done) pthread_cond_wait(&request->completed, &request->mutex);
  pthread_mutex_unlock(&request->mutex);
}

int main(void) {
  struct request *request = calloc(1, sizeof *request);
  if (!request) return 1;
  pthread_mutex_init(&request->mutex, NULL);
  pthread_cond_init(&request->completed, NULL);
  pthread_t server;
  pthread_create(&server, NULL, serve, request);
  await(request);
  pthread_cond_destroy(&request->completed);
  pthread_mutex_destroy(&request->mutex);
  free(request);
  pthread_join(server, NULL);
  return 0;
}
