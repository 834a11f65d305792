/* SPDX-License-Identifier: MIT
 *
 * The monitors of include/heddle.h. Who enters is the only choice: entering, for the first time or in an SC monitor
 * after a signal, waits until the monitor is free. What a thread does inside, waiting, signalling and looking at
 * queues, touches only what is its own as long as it is inside; leaving and waiting are operations because others can
 * move then.
 *
 * In an SU monitor the thread that is signalled continues at once, and the one that signalled when the monitor is given
 * up next, before all that want to enter. The monitor is handed over to them: that is not a choice.
 */
#include "constructs.h"
#include "include/heddle.h"
#include "models.h"

/* ---- queues ---- */

static void queue_up(struct object *queue) {
  self()->queue = queue;
  self()->queued_at = ++rt->n_queued;
}

static struct thread *first_in(const struct object *queue) {
  struct thread *first = NULL;
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    struct thread *thread = &rt->threads[i];
    if (thread->state == ABSENT || thread->queue != queue) continue;
    if (!first || thread->queued_at < first->queued_at) first = thread;
  }
  return first;
}

static uint32_t length_of(const struct object *queue) {
  uint32_t length = 0;
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    length += rt->threads[i].state != ABSENT && rt->threads[i].queue == queue;
  return length;
}

/* ---- having the monitor ---- */

static bool is_urgent(const struct object *monitor) {
  return monitor->type;
}

static void take(struct object *monitor, site_id site) {
  monitor->owner = self()->id;
  monitor->owner_site = site;
  monitor->version++;
  races_acquire(monitor);
  lockorder_taken(monitor, false);
}

static void hand_over(struct object *monitor, struct thread *to) {
  to->queue = NULL;
  monitor->owner = to->id;
  monitor->owner_site = to->operation.site;
  races_hand_over(to);
  struct event *event = trace_record(EVENT_MONITOR_RESUME, monitor->address, 0, to->operation.site);
  event->thread = to->id;
  event->value = self()->id;
  schedule_local(to);
}

static void give_up(struct object *monitor) {
  races_release(monitor);
  lockorder_released(monitor);
  monitor->version++;
}

static void release(struct object *monitor) {
  give_up(monitor);
  monitor->owner = NO_THREAD;
  struct thread *urgent = first_in(monitor);
  if (urgent) hand_over(monitor, urgent);
}

/* Until the monitor is handed over to this thread. */
static void wait_to_resume(struct object *monitor, site_id site) {
  schedule_hold(EVENT_MONITOR_RESUME, monitor, site);
  lockorder_taken(monitor, false);
}

static void check_inside(const struct object *monitor, site_id site, const char *complaint) {
  if (monitor->owner != self()->id) construct_misuse(monitor, site, complaint);
}

/* ---- entering and leaving ---- */

WRAPPED_VOID(heddle_monitor_init_SC, (heddle_monitor * address), (address)) {
  object_before_initialise(address, MONITOR_OBJECT, take_site());
  __real_heddle_monitor_init_SC(address);
  object_reset(address, MONITOR_OBJECT);
}

WRAPPED_VOID(heddle_monitor_init_SU, (heddle_monitor * address), (address)) {
  object_before_initialise(address, MONITOR_OBJECT, take_site());
  __real_heddle_monitor_init_SU(address);
  object_reset(address, MONITOR_OBJECT);
}

WRAPPED_VOID(heddle_monitor_destroy, (heddle_monitor * address), (address)) {
  object_destroy(object_at(address, MONITOR_OBJECT), take_site());
}

WRAPPED_VOID(heddle_monitor_enter, (heddle_monitor * address), (address)) {
  const site_id site = take_site();
  struct object *monitor = object_at(address, MONITOR_OBJECT);
  if (monitor->owner == self()->id) construct_misuse(monitor, site, "a thread enters a monitor that it is in");
  schedule_object(EVENT_MONITOR_ENTER, monitor, site, true);
  lockorder_waits_for(monitor, site, false);
  take(monitor, site);
  record_object(EVENT_MONITOR_ENTER, monitor, site, 0);
}

WRAPPED_VOID(heddle_monitor_exit, (heddle_monitor * address), (address)) {
  const site_id site = take_site();
  struct object *monitor = object_at(address, MONITOR_OBJECT);
  schedule_object(EVENT_MONITOR_EXIT, monitor, site, false);
  record_object(EVENT_MONITOR_EXIT, monitor, site, 0);
  check_inside(monitor, site, "a thread leaves a monitor that it is not in");
  release(monitor);
}

/* ---- condition variables ---- */

WRAPPED_VOID(heddle_condition_init, (heddle_condition * address, heddle_monitor *monitor), (address, monitor)) {
  object_before_initialise(address, MONITOR_CONDITION_OBJECT, take_site());
  __real_heddle_condition_init(address, monitor);
  object_reset(address, MONITOR_CONDITION_OBJECT);
}

WRAPPED_VOID(heddle_condition_destroy, (heddle_condition * address), (address)) {
  object_destroy(object_at(address, MONITOR_CONDITION_OBJECT), take_site());
}

static struct object *condition_at(const heddle_condition *address, site_id site) {
  struct object *condition = object_at(address, MONITOR_CONDITION_OBJECT);
  object_check(condition, site);
  return condition;
}

static struct object *monitor_of(const heddle_condition *address) {
  return object_at(address->heddle_of, MONITOR_OBJECT);
}

#define OUTSIDE "use of a condition outside its monitor"

static void record_use(uint8_t kind, const struct object *monitor, const struct object *condition, uint32_t waiters,
                       site_id site) {
  record_object(kind, monitor, site, condition->address)->size = waiters;
}

WRAPPED_VOID(heddle_wait, (heddle_condition * address), (address)) {
  const site_id site = take_site();
  struct object *condition = condition_at(address, site), *monitor = monitor_of(address);
  schedule_object(EVENT_MONITOR_WAIT, monitor, site, false);
  record_use(EVENT_MONITOR_WAIT, monitor, condition, 0, site);
  check_inside(monitor, site, OUTSIDE);
  self()->signalled = false;
  queue_up(condition);
  release(monitor);
  if (is_urgent(monitor)) {
    wait_to_resume(monitor, site);
    return;
  }
  schedule_object(EVENT_MONITOR_REENTER, monitor, site, true);
  take(monitor, site);
  record_use(EVENT_MONITOR_REENTER, monitor, condition, 0, site);
}

/* SC: what the thread waits for from now on is the monitor alone. */
static void wake(struct thread *thread) {
  thread->signalled = true;
  thread->queue = NULL;
}

static void signal_and_wait(struct object *monitor, struct thread *waiter, site_id site) {
  give_up(monitor);
  queue_up(monitor);
  hand_over(monitor, waiter);
  wait_to_resume(monitor, site);
}

WRAPPED_VOID(heddle_signal, (heddle_condition * address), (address)) {
  const site_id site = take_site();
  struct object *condition = condition_at(address, site), *monitor = monitor_of(address);
  struct thread *waiter = first_in(condition);
  const bool waits = waiter && is_urgent(monitor);
  spin_end(self());
  check_inside(monitor, site, OUTSIDE);
  record_use(waits ? EVENT_MONITOR_SIGNAL_WAIT : EVENT_MONITOR_SIGNAL, monitor, condition, length_of(condition), site);
  if (waits)
    signal_and_wait(monitor, waiter, site);
  else if (waiter)
    wake(waiter);
}

WRAPPED_VOID(heddle_signal_exit, (heddle_condition * address), (address)) {
  const site_id site = take_site();
  struct object *condition = condition_at(address, site), *monitor = monitor_of(address);
  schedule_object(EVENT_MONITOR_SIGNAL_EXIT, monitor, site, false);
  struct thread *waiter = first_in(condition);
  record_use(EVENT_MONITOR_SIGNAL_EXIT, monitor, condition, length_of(condition), site);
  check_inside(monitor, site, OUTSIDE);
  if (waiter && is_urgent(monitor)) {
    give_up(monitor);
    hand_over(monitor, waiter);
    return;
  }
  if (waiter) wake(waiter);
  release(monitor);
}

WRAPPED_VOID(heddle_broadcast, (heddle_condition * address), (address)) {
  const site_id site = take_site();
  struct object *condition = condition_at(address, site), *monitor = monitor_of(address);
  spin_end(self());
  check_inside(monitor, site, OUTSIDE);
  if (is_urgent(monitor)) construct_misuse(monitor, site, "broadcast in a monitor with signal-and-urgent-wait");
  record_use(EVENT_MONITOR_BROADCAST, monitor, condition, length_of(condition), site);
  for (struct thread *waiter; (waiter = first_in(condition));) wake(waiter);
}

static int queue_length(const heddle_condition *address) {
  const site_id site = take_site();
  const struct object *condition = condition_at(address, site);
  check_inside(monitor_of(address), site, OUTSIDE);
  return (int)length_of(condition);
}

WRAPPED(int, heddle_queue_length, (const heddle_condition *address), (address)) {
  return queue_length(address);
}

WRAPPED(int, heddle_queue_empty, (const heddle_condition *address), (address)) {
  return queue_length(address) == 0;
}
