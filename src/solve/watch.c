/* SPDX-License-Identifier: MIT */
#include "solve/watch.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define LOOK_NANOSECONDS 50000000

struct watch {
  struct deadline deadline; /* a copy: that of the engine's thread is not for others */
  void (*interrupt)(void *context);
  void *context; /* of the question that is asked; NULL: none is */
  pthread_t thread;
  bool has_thread, ends;
  pthread_mutex_t mutex; /* of all that is above */
  pthread_cond_t change;
};

static void sleep_a_while(struct watch *self) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += LOOK_NANOSECONDS;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&self->change, &self->mutex, &until);
}

static void *work(void *memory) {
  struct watch *self = memory;
  pthread_mutex_lock(&self->mutex);
  while (!self->ends) {
    if (!self->context) {
      pthread_cond_wait(&self->change, &self->mutex);
      continue;
    }
    if (deadline_is_over_now(&self->deadline)) self->interrupt(self->context);
    sleep_a_while(self);
  }
  pthread_mutex_unlock(&self->mutex);
  return NULL;
}

struct watch *watch_create(const struct deadline *deadline, void (*interrupt)(void *context)) {
  struct watch *self = memory_allocate(sizeof *self);
  self->deadline = *deadline;
  self->interrupt = interrupt;
  pthread_mutex_init(&self->mutex, NULL);
  pthread_cond_init(&self->change, NULL);
  return self;
}

void watch_destroy(struct watch *self) {
  if (self->has_thread) {
    pthread_mutex_lock(&self->mutex);
    self->ends = true;
    pthread_cond_signal(&self->change);
    pthread_mutex_unlock(&self->mutex);
    pthread_join(self->thread, NULL);
  }
  pthread_mutex_destroy(&self->mutex);
  pthread_cond_destroy(&self->change);
  free(self);
}

/* The signals of the process are for the engine's thread. Without a thread, the question's own time limit ends it. */
static void start_thread(struct watch *self) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  self->has_thread = pthread_create(&self->thread, NULL, work, self) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void watch_begin(struct watch *self, void *context) {
  if (!self->has_thread) start_thread(self);
  pthread_mutex_lock(&self->mutex);
  self->context = context;
  pthread_cond_signal(&self->change);
  pthread_mutex_unlock(&self->mutex);
}

void watch_end(struct watch *self) {
  pthread_mutex_lock(&self->mutex);
  self->context = NULL;
  pthread_mutex_unlock(&self->mutex);
}
