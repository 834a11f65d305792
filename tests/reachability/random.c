/* SPDX-License-Identifier: MIT
 *
 * A small pseudo-random program with ports, semaphores, monitors and mutexes: the argument says which one. Thread i
 * receives from ports 2i and 2i + 1, everybody sends to all of them. With a second argument it prints what the threads
 * do.
 */
#include "heddle.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum kind { SEND, RECEIVE, SELECT, P, V, BINARY_P, BINARY_V, ENTER, LOCK, WRITE, READ, N_KINDS };
static const char *const names[] = {"send",     "receive", "select", "P",     "V",   "binary P",
                                    "binary V", "monitor", "lock",   "write", "read"};

enum { MOST_THREADS = 3, MOST_ACTIONS = 4, MONITOR_WAITS = 1, MONITOR_SIGNALS = 2 };

struct action {
  enum kind kind;
  int object, how;
};

struct script {
  struct action actions[MOST_ACTIONS];
  int count, received;
};

static struct script scripts[MOST_THREADS];
static int n_threads, n_kinds;
static heddle_port ports[2 * MOST_THREADS] = {HEDDLE_PORT, HEDDLE_SYNCHRONOUS_PORT, HEDDLE_PORT, HEDDLE_PORT,
                                              HEDDLE_PORT, HEDDLE_BOUNDED_PORT(1)};
static heddle_semaphore counting = HEDDLE_SEMAPHORE(1), binary = HEDDLE_BINARY_SEMAPHORE(1);
static heddle_monitor monitors[2] = {HEDDLE_MONITOR_SC, HEDDLE_MONITOR_SU};
static heddle_condition conditions[2] = {HEDDLE_CONDITION(&monitors[0]), HEDDLE_CONDITION(&monitors[1])};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int variable;

static uint64_t state;

static int draw(int bound) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)bound);
}

/* ---- performing ---- */

static void use_monitor(const struct action *action) {
  heddle_monitor_enter(&monitors[action->object]);
  if (action->how == MONITOR_WAITS && heddle_queue_empty(&conditions[action->object]))
    heddle_wait(&conditions[action->object]);
  if (action->how == MONITOR_SIGNALS) heddle_signal(&conditions[action->object]);
  heddle_monitor_exit(&monitors[action->object]);
}

static void receive_one(struct script *script, const struct action *action, int thread) {
  const heddle_alternative both[] = {{&ports[2 * thread], NULL, NULL}, {&ports[2 * thread + 1], NULL, NULL}};
  long message = 0;
  if (action->kind == SELECT)
    heddle_select(both, 2, &message);
  else
    message = heddle_receive(&ports[2 * thread + action->object % 2]);
  script->received = script->received * 10 + (int)message;
}

static void perform(struct script *script, const struct action *action, int thread) {
  switch (action->kind) {
  case SEND: heddle_send(&ports[action->object], thread + 1); break;
  case RECEIVE:
  case SELECT: receive_one(script, action, thread); break;
  case P: heddle_P(&counting); break;
  case V: heddle_V(&counting); break;
  case BINARY_P: heddle_P(&binary); break;
  case BINARY_V: heddle_V(&binary); break;
  case ENTER: use_monitor(action); break;
  case LOCK:
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    break;
  case WRITE: variable = thread + 1; break;
  default: script->received = script->received * 10 + variable; break;
  }
}

static void *run(void *argument) {
  const int thread = (int)(long)argument;
  struct script *script = &scripts[thread];
  for (int i = 0; i < script->count; i++) perform(script, &script->actions[i], thread);
  return NULL;
}

/* ---- making ---- */

static void make(void) {
  enum kind kinds[N_KINDS];
  n_threads = 2 + draw(2);
  n_kinds = 2 + draw(3);
  for (int i = 0; i < n_kinds; i++) kinds[i] = (enum kind)draw(N_KINDS);
  for (int t = 0; t < n_threads; t++) {
    scripts[t].count = 1 + draw(n_threads == 2 ? MOST_ACTIONS : MOST_ACTIONS - 1);
    for (int i = 0; i < scripts[t].count; i++) {
      const enum kind kind = kinds[draw(n_kinds)];
      const int bound = kind == SEND ? 2 * n_threads : 2;
      scripts[t].actions[i] = (struct action){kind, draw(bound), draw(3)};
    }
  }
}

static void print(void) {
  for (int t = 0; t < n_threads; t++) {
    printf("thread %d:", t + 1);
    for (int i = 0; i < scripts[t].count; i++)
      printf(" %s %d %d;", names[scripts[t].actions[i].kind], scripts[t].actions[i].object, scripts[t].actions[i].how);
    putchar('\n');
  }
}

int main(int argc, char **argv) {
  pthread_t threads[MOST_THREADS];
  state = argc > 1 ? strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15u : 1;
  make();
  if (argc > 2) {
    print();
    return 0;
  }
  for (long t = 0; t < n_threads; t++) pthread_create(&threads[t], NULL, run, (void *)t);
  for (int t = 0; t < n_threads; t++) pthread_join(threads[t], NULL);
  for (int t = 0; t < n_threads; t++) heddle_observe("received", scripts[t].received);
  return 0;
}
