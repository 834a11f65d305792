/* SPDX-License-Identifier: MIT
 *
 * Semaphores with a name. They live in a table of the runtime and only for a run: at its start no name exists. Which of
 * two threads makes one, or finds it, depends on their order, so opening, closing and unlinking are visible operations.
 *
 * A place of the table belongs to a name and a generation, from run to run: the k-th semaphore made with that name in a
 * run. Operations on the name as such are recorded with the place of its first generation.
 */
#include "checkpoint.h"
#include "ends.h"
#include "models.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>

#define TOO_MANY "more than 64 names of semaphores"

static bool is_of(const struct named_semaphore *place, const char *name, uint32_t generation) {
  return place->generation == generation && strings_equal(place->name, name);
}

/* As it was in this run; NULL when the table is full. */
static struct named_semaphore *place_of(const char *name, uint32_t generation) {
  for (uint32_t i = 0; i < MAX_NAMED_SEMAPHORES; i++) {
    struct named_semaphore *place = &rt->named_semaphores[i];
    if (place->generation == 0) {
      place->generation = generation;
      memcpy(place->name, name, string_length(name) + 1);
    }
    if (!is_of(place, name, generation)) continue;
    if (place->run != rt->run) place->opened = 0, place->linked = false;
    return place;
  }
  return NULL;
}

/* The one the name stands for now, or NULL; `generations` says how many there were. */
static struct named_semaphore *find_linked(const char *name, uint32_t *generations) {
  struct named_semaphore *linked = NULL;
  *generations = 0;
  for (uint32_t i = 0; i < MAX_NAMED_SEMAPHORES; i++) {
    struct named_semaphore *place = &rt->named_semaphores[i];
    if (place->generation == 0) break;
    if (place->run != rt->run || !strings_equal(place->name, name)) continue;
    if (place->generation > *generations) *generations = place->generation;
    if (place->linked) linked = place;
  }
  return linked;
}

/* glibc: slashes at the start do not count, others are not allowed. */
static int check_name(const char **name) {
  while (**name == '/') (*name)++;
  const size_t length = string_length(*name);
  if (length == 0) return EINVAL;
  for (const char *c = *name; *c; c++)
    if (*c == '/') return EINVAL;
  return length + sizeof "sem." > SEMAPHORE_NAME_BYTES ? ENAMETOOLONG : 0;
}

static struct object *object_of(const struct named_semaphore *place) {
  return object_at(place->memory, SEMAPHORE_OBJECT);
}

/* Stands before an operation on the name; false when the table is full. */
static bool schedule_name(uint8_t kind, const char *name, site_id site) {
  checkpoint_cannot_hold(); /* its place is the name's in all later runs */
  const struct named_semaphore *first = place_of(name, 1);
  if (first) schedule_object(kind, object_of(first), site, false);
  return first;
}

static void record_name(uint8_t kind, const char *name, site_id site, int result) {
  record_object(kind, object_of(place_of(name, 1)), site, (uint64_t)result);
}

static int make(const char *name, uint32_t generation, unsigned value, struct named_semaphore **made) {
  if (value > SEM_VALUE_MAX) return EINVAL;
  struct named_semaphore *place = place_of(name, generation);
  if (!place) finish_at_limit(TOO_MANY);
  place->run = rt->run;
  place->linked = true;
  struct object *object = object_reset(place->memory, SEMAPHORE_OBJECT);
  object->count = object->needed = value;
  *made = place;
  return 0;
}

static int find_or_make(const char *name, int flags, unsigned value, struct named_semaphore **place) {
  uint32_t generations;
  *place = find_linked(name, &generations);
  if (*place) return (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL) ? EEXIST : 0;
  return flags & O_CREAT ? make(name, generations + 1, value, place) : ENOENT;
}

static sem_t *open_named(const char *name, int flags, unsigned value) {
  const site_id site = take_site();
  struct named_semaphore *place = NULL;
  int error = check_name(&name);
  if (!error && !schedule_name(EVENT_SEMAPHORE_OPEN, name, site)) finish_at_limit(TOO_MANY);
  if (!error) {
    error = find_or_make(name, flags, value, &place);
    record_name(EVENT_SEMAPHORE_OPEN, name, site, error);
  }
  if (error) {
    errno = error;
    return SEM_FAILED;
  }
  place->opened++;
  return (sem_t *)place->memory;
}

sem_t *__real_sem_open(const char *name, int flags, ...);
EXPORTED sem_t *__wrap_sem_open(const char *name, int flags, ...) {
  mode_t mode = 0;
  unsigned value = 0;
  if (flags & O_CREAT) {
    va_list list;
    va_start(list, flags);
    mode = va_arg(list, mode_t);
    value = va_arg(list, unsigned);
    va_end(list);
  }
  return controlled ? open_named(name, flags, value) : __real_sem_open(name, flags, mode, value);
}

static struct named_semaphore *opened_at(const sem_t *address) {
  for (uint32_t i = 0; i < MAX_NAMED_SEMAPHORES; i++) {
    struct named_semaphore *place = &rt->named_semaphores[i];
    if ((const void *)place->memory == address && place->run == rt->run && place->opened) return place;
  }
  return NULL;
}

WRAPPED(int, sem_close, (sem_t * address), (address)) {
  const site_id site = take_site();
  struct named_semaphore *place = opened_at(address);
  if (!place) return model_fail(EINVAL);
  schedule_object(EVENT_SEMAPHORE_CLOSE, object_of(place), site, false);
  record_object(EVENT_SEMAPHORE_CLOSE, object_of(place), site, 0);
  if (place->opened == 0) return model_fail(EINVAL);
  place->opened--;
  return 0;
}

WRAPPED(int, sem_unlink, (const char *name), (name)) {
  const site_id site = take_site();
  uint32_t generations;
  if (check_name(&name)) return model_fail(ENOENT);
  if (!schedule_name(EVENT_SEMAPHORE_UNLINK, name, site)) return model_fail(ENOENT);
  struct named_semaphore *place = find_linked(name, &generations);
  if (place) place->linked = false;
  record_name(EVENT_SEMAPHORE_UNLINK, name, site, place ? 0 : ENOENT);
  return place ? 0 : model_fail(ENOENT);
}
