/* SPDX-License-Identifier: MIT
 *
 * Futexes. A wait is two operations, as one on a condition variable is: it looks at the word and goes to sleep, which
 * is one step; it continues, once it was woken. A word that is not as expected makes it a read of the word that fails.
 * Which of several threads a wake is for is a choice: the kernel promises nothing.
 *
 * The kernel tells private futexes and shared ones apart, and so does the mask that a thread sleeps with: the bits of
 * FUTEX_WAIT_BITSET are in its lower half for private ones, in its upper half for shared ones.
 */
#include "choose.h"
#include "ends.h"
#include "futexes.h"
#include "memory.h"
#include "model/waiters.h"
#include "models.h"
#include "sharing.h"

#include <errno.h>
#include <linux/futex.h>

/* ---- sleeping ---- */

static bool sleeps_on(const struct thread *thread, const struct object *futex, uint64_t mask) {
  return thread->state == AT_OPERATION && thread->operation.kind == EVENT_FUTEX_RETURN &&
         thread->operation.object == futex && !thread->signalled && thread->awaited & mask;
}

static uint32_t count_asleep(const struct object *futex, uint64_t mask) {
  uint32_t count = 0;
  for (uint32_t i = 0; i <= rt->highest_thread; i++) count += sleeps_on(&rt->threads[i], futex, mask);
  return count;
}

static struct visit visit_of_word(const uint32_t *word, site_id site, char *frame) {
  return (struct visit){{(uint64_t)word, *word, FUTEX_BYTES, false}, site, frame};
}

/* What a loop of calls that find nothing spins on: the word, and who sleeps on it. */
static void look_at(struct object *futex, site_id site, char *frame, void (*look)(struct thread *, struct visit)) {
  look(self(), visit_of_word((const uint32_t *)futex->address, site, frame));
  look(self(), visit_of_object(futex, site, frame));
}

/* Returns when it is the thread's turn: the word is read then. */
static void take_turn_to_look(uint8_t kind, struct object *futex, site_id site, char *frame) {
  memory_check(futex->address, FUTEX_BYTES, false, site);
  sharing_touch(futex->address, FUTEX_BYTES, false);
  look_at(futex, site, frame, spin_before_read);
  schedule_operation(
      (struct operation){.kind = kind, .address = futex->address, .object = futex, .size = FUTEX_BYTES, .site = site});
  memory_check(futex->address, FUTEX_BYTES, false, site);
}

static void record_another_value(uint8_t kind, struct object *futex, site_id site, char *frame) {
  look_at(futex, site, frame, spin_after_read);
  struct event *event = trace_record(kind, futex->address, FUTEX_BYTES, site);
  event->value = *(const uint32_t *)futex->address;
  event->flags |= EVENT_VALUE_KNOWN;
}

/* Until it is woken, or the deadline, unless that is NULL. */
static long sleep_until(struct object *futex, const struct deadline *deadline, site_id site) {
  struct thread *thread = self();
  thread->signalled = thread->was_interrupted = false;
  schedule_operation((struct operation){.kind = EVENT_FUTEX_RETURN,
                                        .address = futex->address,
                                        .object = futex,
                                        .site = site,
                                        .can_block = true,
                                        .interruption = IS_INTERRUPTED,
                                        .can_give_up = deadline != NULL});
  if (thread->was_interrupted) return model_fail(EINTR);
  const uint64_t address = thread->operation.address; /* it may have been moved */
  trace_record(thread->signalled ? EVENT_FUTEX_RETURN : EVENT_FUTEX_TIMED_OUT, address, 0, site);
  if (!thread->signalled) return model_fail(deadline_passed(deadline));
  return deadline_kept(deadline, 0);
}

static long futex_wait(struct object *futex, uint32_t expected, uint64_t mask, const struct deadline *deadline,
                       site_id site, char *frame) {
  take_turn_to_look(EVENT_FUTEX_WAIT, futex, site, frame);
  if (*(const uint32_t *)futex->address != expected) {
    record_another_value(EVENT_FUTEX_CHANGED, futex, site, frame);
    return model_fail(EAGAIN);
  }
  spin_end(self());
  struct event *event = trace_record(EVENT_FUTEX_WAIT, futex->address, FUTEX_BYTES, site);
  event->value = expected;
  event->before = mask;
  event->flags |= EVENT_VALUE_KNOWN;
  self()->awaited = mask;
  futex->version++;
  const long result = sleep_until(futex, deadline, site);
  const bool starts_again = self()->was_interrupted && self()->restarts && !deadline;
  return starts_again ? futex_wait(futex, expected, mask, NULL, site, frame) : result;
}

/* ---- waking ---- */

/* Of those that sleep, some are woken; the others sleep on `other` from now on, unless that is NULL. */
static void wake_some(struct object *futex, struct wake_choice choice, uint64_t mask, struct object *other) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    struct thread *thread = &rt->threads[i];
    if (!sleeps_on(thread, futex, mask)) continue;
    if (wake_takes_next(&choice)) {
      thread->signalled = true;
      races_hand_over(thread);
    } else if (other) {
      other->version++;
      thread->operation.object = other;
      thread->operation.address = other->address;
    }
  }
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* Records who is woken, and wakes them. Returns how many. */
static long wake(uint8_t kind, struct object *futex, uint32_t wanted, uint64_t mask, struct object *other,
                 site_id site) {
  const uint32_t asleep = count_asleep(futex, mask), ways = wake_ways(asleep, wanted);
  if (ways > MOST_WAKE_WAYS) finish_at_limit("a futex wake that can be for more than 1000 sets of threads");
  const uint16_t chosen = choose_alternative((uint16_t)ways);
  struct event *event = trace_record(kind, futex->address, wanted, site);
  event->alternative = chosen;
  event->alternatives = (uint16_t)ways;
  event->before = mask;
  event->value = other ? other->address : asleep;
  event->flags |= EVENT_VALUE_KNOWN;
  wake_some(futex, (struct wake_choice){asleep, wanted, chosen}, mask, other);
  return least(asleep, wanted);
}

static void end_spin_if(bool found, struct object *futex, site_id site, char *frame) {
  if (found)
    spin_end(self());
  else
    look_at(futex, site, frame, spin_after_read);
}

/* It does not look at the word, which may be gone. */
static long futex_wake(struct object *futex, uint32_t wanted, uint64_t mask, site_id site, char *frame) {
  schedule_attempt(EVENT_FUTEX_WAKE, futex, site, frame);
  if (count_asleep(futex, mask)) spin_end(self());
  return wake(EVENT_FUTEX_WAKE, futex, wanted, mask, NULL, site);
}

struct requeue {
  struct object *other;
  uint32_t wanted, moved; /* at most */
  const uint32_t *expected;
};

/* Returns how many were woken and, with a comparison, moved. */
static long futex_requeue(struct object *futex, struct requeue requeue, uint64_t mask, site_id site, char *frame) {
  take_turn_to_look(EVENT_FUTEX_REQUEUE, futex, site, frame);
  if (requeue.expected && *(const uint32_t *)futex->address != *requeue.expected) {
    record_another_value(EVENT_FUTEX_NOT_REQUEUED, futex, site, frame);
    return model_fail(EAGAIN);
  }
  const uint32_t asleep = count_asleep(futex, mask);
  end_spin_if(asleep, futex, site, frame);
  if (asleep > requeue.wanted && asleep - requeue.wanted > requeue.moved)
    finish_at_limit("a futex requeue that leaves threads where they are");
  const long woken = wake(EVENT_FUTEX_REQUEUE, futex, requeue.wanted, mask, requeue.other, site);
  return requeue.expected ? (long)asleep : woken;
}

/* ---- the call ---- */

#define UPPER_HALF(bits) ((uint64_t)(bits) << 32)

static uint64_t mask_of(uint32_t bits, long operation) {
  return operation & FUTEX_PRIVATE_FLAG ? bits : UPPER_HALF(bits);
}

/* FUTEX_WAIT has a duration, FUTEX_WAIT_BITSET a moment. */
static struct deadline deadline_of(const struct timespec *time, long operation) {
  const clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  if ((operation & FUTEX_CMD_MASK) != FUTEX_WAIT) return (struct deadline){clock, *time};
  return deadline_after((uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec);
}

static bool is_time(const struct timespec *time) {
  return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

static long wait_call(struct object *futex, const long arguments[6], uint32_t bits, site_id site, char *frame) {
  const struct timespec *time = (const struct timespec *)arguments[3];
  const uint32_t expected = (uint32_t)arguments[2];
  const uint64_t mask = mask_of(bits, arguments[1]);
  if (!time) return futex_wait(futex, expected, mask, NULL, site, frame);
  model_reads(time, sizeof *time, site);
  if (!is_time(time)) return model_fail(EINVAL);
  const struct deadline deadline = deadline_of(time, arguments[1]);
  return futex_wait(futex, expected, mask, &deadline, site, frame);
}

/* The kernel wakes one even when it is asked for none. */
static uint32_t count_to_wake(long count) {
  return (int)count > 0 ? (uint32_t)count : 1;
}

static long requeue_call(struct object *futex, const long arguments[6], bool compares, site_id site, char *frame) {
  const uint32_t expected = (uint32_t)arguments[5];
  if ((int)arguments[2] < 0 || (int)arguments[3] < 0 || arguments[4] & 3) return model_fail(EINVAL);
  const struct requeue requeue = {object_at((const void *)arguments[4], FUTEX_OBJECT), (uint32_t)arguments[2],
                                  (uint32_t)arguments[3], compares ? &expected : NULL};
  return futex_requeue(futex, requeue, mask_of(FUTEX_BITSET_MATCH_ANY, arguments[1]), site, frame);
}

long futex_call(const long arguments[6], site_id site, char *frame) {
  const long command = arguments[1] & FUTEX_CMD_MASK;
  const bool has_bits = command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET;
  const uint32_t bits = has_bits ? (uint32_t)arguments[5] : FUTEX_BITSET_MATCH_ANY;
  if (arguments[0] & 3 || !bits) return model_fail(EINVAL);
  struct object *futex = object_at((const void *)arguments[0], FUTEX_OBJECT);
  switch (command) {
  case FUTEX_WAIT:
  case FUTEX_WAIT_BITSET: return wait_call(futex, arguments, bits, site, frame);
  case FUTEX_WAKE:
  case FUTEX_WAKE_BITSET:
    return futex_wake(futex, count_to_wake(arguments[2]), mask_of(bits, arguments[1]), site, frame);
  case FUTEX_REQUEUE: return requeue_call(futex, arguments, false, site, frame);
  case FUTEX_CMP_REQUEUE: return requeue_call(futex, arguments, true, site, frame);
  default: finish_at_limit("a futex operation other than wait, wake and requeue");
  }
}
