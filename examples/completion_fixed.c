// SPDX-License-Identifier: MIT
//
// completion.c repaired: everything happens under the lock, and the request is freed when the other thread has ended.
//
// expect: exit=0 verdict=clean warnings=0 runs=2
#include <pthread.h>
#include <stdlib.h>

struct request {
  pthread_mutex_t mutex;
  pthread_cond_t completed;
  int done;
};

static void complete(struct request *request) {
  pthread_mutex_lock(&request->mutex);
  request->done = 1;
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
  pthread_join(server, NULL);
  pthread_cond_destroy(&request->completed);
  pthread_mutex_destroy(&request->mutex);
  free(request);
  return 0;
}
