/* SPDX-License-Identifier: MIT
 *
 * Monitors and their condition variables. A monitor is handed over: a thread that leaves it makes the next one its
 * owner, so that nobody comes in between. Who that is: in an SU monitor first those who signalled, then those who want
 * to enter, each in the order of their coming. In an SC monitor a thread that was signalled is one of those who want to
 * enter.
 */
#include "sync/internal.h"

struct STATE state {
  pthread_mutex_t mutex;
  pthread_t owner;
  bool is_owned, is_on_its_way; /* handed over, to a thread that has not gone on yet: the owner is not known */
  struct queue entering, urgent;
};
_Static_assert(sizeof(struct state) <= sizeof(((heddle_monitor *)0)->heddle_state), "a monitor's state fits");

struct STATE condition_state {
  struct queue waiting;
};
_Static_assert(sizeof(struct condition_state) <= sizeof(((heddle_condition *)0)->heddle_state),
               "a condition's state fits");

static struct state *state_of(heddle_monitor *monitor) {
  if (monitor->heddle_kind != HEDDLE_KIND_MONITOR_SC && monitor->heddle_kind != HEDDLE_KIND_MONITOR_SU)
    misuse("use of a monitor that is not initialised");
  return (struct state *)monitor->heddle_state;
}

static struct queue *queue_of(const heddle_condition *condition) {
  return &((struct condition_state *)condition->heddle_state)->waiting;
}

/* ---- entering and leaving ---- */

void heddle_monitor_init_SC(heddle_monitor *monitor) {
  *monitor = (heddle_monitor)HEDDLE_MONITOR_SC;
}

void heddle_monitor_init_SU(heddle_monitor *monitor) {
  *monitor = (heddle_monitor)HEDDLE_MONITOR_SU;
}

void heddle_monitor_destroy(heddle_monitor *monitor) {
  struct state *state = state_of(monitor);
  pthread_mutex_lock(&state->mutex);
  const bool is_owned = state->is_owned;
  pthread_mutex_unlock(&state->mutex);
  if (is_owned) misuse("destroy of a monitor that a thread is in");
  pthread_mutex_destroy(&state->mutex);
  monitor->heddle_kind = DESTROYED;
}

static bool is_inside(const struct state *state) {
  return state->is_owned && !state->is_on_its_way && pthread_equal(state->owner, pthread_self());
}

/* The mutex is held in all of these. */

static void become_owner(struct state *state) {
  state->is_owned = true;
  state->is_on_its_way = false;
  state->owner = pthread_self();
}

static void get(struct state *state) {
  if (state->is_owned) queue_wait(&state->entering, &state->mutex);
  become_owner(state);
}

static bool hand_over(struct state *state, struct queue *queue) {
  if (!queue_let_go(queue)) return false;
  state->is_on_its_way = true;
  return true;
}

static void give(struct state *state) {
  if (!hand_over(state, &state->urgent) && !hand_over(state, &state->entering)) state->is_owned = false;
}

void heddle_monitor_enter(heddle_monitor *monitor) {
  struct state *state = state_of(monitor);
  pthread_mutex_lock(&state->mutex);
  if (is_inside(state)) misuse("a thread enters a monitor that it is in");
  get(state);
  pthread_mutex_unlock(&state->mutex);
}

/* Locks the mutex, of a thread that must be in the monitor. */
static struct state *inside(heddle_monitor *monitor, const char *complaint) {
  struct state *state = state_of(monitor);
  pthread_mutex_lock(&state->mutex);
  if (!is_inside(state)) misuse(complaint);
  return state;
}

void heddle_monitor_exit(heddle_monitor *monitor) {
  struct state *state = inside(monitor, "a thread leaves a monitor that it is not in");
  give(state);
  pthread_mutex_unlock(&state->mutex);
}

/* ---- condition variables ---- */

void heddle_condition_init(heddle_condition *condition, heddle_monitor *monitor) {
  *condition = (heddle_condition)HEDDLE_CONDITION(monitor);
}

void heddle_condition_destroy(heddle_condition *condition) {
  if (condition->heddle_kind != HEDDLE_KIND_CONDITION) misuse("use of a monitor's condition that is not initialised");
  struct state *state = state_of(condition->heddle_of);
  pthread_mutex_lock(&state->mutex);
  if (queue_of(condition)->length) misuse("destroy of a monitor's condition while threads wait on it");
  pthread_mutex_unlock(&state->mutex);
  condition->heddle_kind = DESTROYED;
}

static struct state *inside_for(const heddle_condition *condition) {
  if (condition->heddle_kind != HEDDLE_KIND_CONDITION) misuse("use of a monitor's condition that is not initialised");
  return inside(condition->heddle_of, "use of a condition outside its monitor");
}

static bool is_urgent(const heddle_condition *condition) {
  return condition->heddle_of->heddle_kind == HEDDLE_KIND_MONITOR_SU;
}

/* SU: the signalled thread has the monitor. SC: it enters like everybody else. */
void heddle_wait(heddle_condition *condition) {
  struct state *state = inside_for(condition);
  give(state);
  queue_wait(queue_of(condition), &state->mutex);
  if (is_urgent(condition))
    become_owner(state);
  else
    get(state);
  pthread_mutex_unlock(&state->mutex);
}

void heddle_signal(heddle_condition *condition) {
  struct state *state = inside_for(condition);
  if (!is_urgent(condition)) {
    queue_let_go(queue_of(condition));
  } else if (hand_over(state, queue_of(condition))) {
    queue_wait(&state->urgent, &state->mutex);
    become_owner(state);
  }
  pthread_mutex_unlock(&state->mutex);
}

void heddle_signal_exit(heddle_condition *condition) {
  struct state *state = inside_for(condition);
  if (!is_urgent(condition)) {
    queue_let_go(queue_of(condition));
    give(state);
  } else if (!hand_over(state, queue_of(condition))) {
    give(state);
  }
  pthread_mutex_unlock(&state->mutex);
}

void heddle_broadcast(heddle_condition *condition) {
  struct state *state = inside_for(condition);
  if (is_urgent(condition)) misuse("broadcast in a monitor with signal-and-urgent-wait");
  while (queue_let_go(queue_of(condition))) continue;
  pthread_mutex_unlock(&state->mutex);
}

int heddle_queue_length(const heddle_condition *condition) {
  struct state *state = inside_for(condition);
  const unsigned length = queue_of(condition)->length;
  pthread_mutex_unlock(&state->mutex);
  return (int)length;
}

int heddle_queue_empty(const heddle_condition *condition) {
  return heddle_queue_length(condition) == 0;
}
