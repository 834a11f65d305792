/* SPDX-License-Identifier: MIT
 *
 * The semaphores of include/heddle.h. A counting one is what a POSIX semaphore is. The P of a binary one needs the
 * value 1, its V the value 0: both can wait, and they take turns.
 */
#include "constructs.h"
#include "include/heddle.h"
#include "models.h"

static void initialise(heddle_semaphore *address, bool is_binary, int value, site_id site) {
  object_before_initialise(address, COUNTER_OBJECT, site);
  struct object *semaphore = object_reset(address, COUNTER_OBJECT);
  semaphore->type = is_binary;
  semaphore->count = semaphore->needed = (uint32_t)value;
}

/* A value of the macros is looked at when the semaphore is used. */
static void check_value(const struct object *semaphore, site_id site) {
  if ((int32_t)semaphore->count < 0) construct_misuse(semaphore, site, "a semaphore with a negative value");
  if (semaphore->type && semaphore->count > 1)
    construct_misuse(semaphore, site, "a binary semaphore with a value other than 0 or 1");
}

WRAPPED_VOID(heddle_semaphore_init, (heddle_semaphore * address, int value), (address, value)) {
  const site_id site = take_site();
  initialise(address, false, value, site);
  check_value(object_at(address, COUNTER_OBJECT), site);
  __real_heddle_semaphore_init(address, value);
}

WRAPPED_VOID(heddle_semaphore_init_binary, (heddle_semaphore * address, int value), (address, value)) {
  const site_id site = take_site();
  initialise(address, true, value, site);
  check_value(object_at(address, COUNTER_OBJECT), site);
  __real_heddle_semaphore_init_binary(address, value);
}

WRAPPED_VOID(heddle_semaphore_destroy, (heddle_semaphore * address), (address)) {
  object_destroy(object_at(address, COUNTER_OBJECT), take_site());
}

static void change_binary(uint8_t kind, struct object *semaphore, uint32_t value, site_id site) {
  schedule_object(kind, semaphore, site, true);
  semaphore->count = value;
  semaphore->version++;
  races_acquire(semaphore);
  races_release(semaphore);
  record_object(kind, semaphore, site, value);
}

WRAPPED_VOID(heddle_P, (heddle_semaphore * address), (address)) {
  const site_id site = take_site();
  struct object *semaphore = object_at(address, COUNTER_OBJECT);
  check_value(semaphore, site);
  if (semaphore->type) {
    change_binary(EVENT_BINARY_P, semaphore, 0, site);
    return;
  }
  schedule_object(EVENT_SEMAPHORE_WAIT, semaphore, site, true);
  semaphore_take(EVENT_SEMAPHORE_WAIT, semaphore, site);
}

WRAPPED_VOID(heddle_V, (heddle_semaphore * address), (address)) {
  const site_id site = take_site();
  struct object *semaphore = object_at(address, COUNTER_OBJECT);
  check_value(semaphore, site);
  if (semaphore->type) {
    change_binary(EVENT_BINARY_V, semaphore, 1, site);
    return;
  }
  schedule_object(EVENT_SEMAPHORE_POST, semaphore, site, false);
  if (semaphore->count == INT32_MAX)
    construct_misuse(semaphore, site, "V of a semaphore that already has the largest value");
  semaphore_give(semaphore, site);
}
