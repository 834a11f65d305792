/* SPDX-License-Identifier: MIT
 *
 * A hash table of lists, one for each object and thread. A list that became empty stays in its place.
 */
#include "trace/tally.h"

#include "base/memory.h"

#include <stdlib.h>

#define FIRST_LISTS 64u

struct list {
  uint64_t object;
  thread_id thread;
  bool used;
  VECTOR(struct tally) items;
};

struct tallies {
  struct list *lists;
  uint32_t n_lists, n_used;
};

struct tallies *tallies_create(void) {
  struct tallies *tallies = memory_allocate(sizeof *tallies);
  tallies->n_lists = FIRST_LISTS;
  tallies->lists = memory_allocate(FIRST_LISTS * sizeof *tallies->lists);
  return tallies;
}

void tallies_destroy(struct tallies *tallies) {
  for (uint32_t i = 0; i < tallies->n_lists; i++) vector_free(&tallies->lists[i].items);
  free(tallies->lists);
  free(tallies);
}

/* The list, or the place where it would be. */
static struct list *list_of(const struct tallies *tallies, uint64_t object, thread_id thread) {
  const uint64_t key = (object + thread) * 0x9e3779b97f4a7c15ull;
  uint32_t place = (uint32_t)(key >> 32) & (tallies->n_lists - 1);
  while (tallies->lists[place].used &&
         (tallies->lists[place].object != object || tallies->lists[place].thread != thread))
    place = (place + 1) & (tallies->n_lists - 1);
  return &tallies->lists[place];
}

static void grow(struct tallies *tallies) {
  struct list *const old = tallies->lists;
  const uint32_t n_old = tallies->n_lists;
  tallies->n_lists *= 2;
  tallies->lists = memory_allocate(tallies->n_lists * sizeof *tallies->lists);
  for (uint32_t i = 0; i < n_old; i++)
    if (old[i].used) *list_of(tallies, old[i].object, old[i].thread) = old[i];
  free(old);
}

static struct list *use_list(struct tallies *tallies, uint64_t object, thread_id thread) {
  if (tallies->n_used * 2 >= tallies->n_lists) grow(tallies);
  struct list *list = list_of(tallies, object, thread);
  if (list->used) return list;
  *list = (struct list){.object = object, .thread = thread, .used = true};
  tallies->n_used++;
  return list;
}

/* An unlock belongs to the last lock that has none; one without a lock does nothing. */
static void follow_holds(struct tally *tally) {
  if (tally->amount < 0) tally->amount = 0;
  if (tally->amount == 0) tally->since = 0;
  if (tally->amount > 0 && !tally->since) tally->since = tally->step + 1;
}

void tallies_push(struct tallies *tallies, const struct event *event, uint32_t step) {
  const int change = event_count_change(event);
  if (!change) return;
  struct list *list = use_list(tallies, event->object, event->thread);
  struct tally next = {0};
  if (list->items.count > 0) next = list->items.items[list->items.count - 1];
  next.step = step;
  next.amount += change;
  if (event_class_of(event) == CLASS_RWLOCK) follow_holds(&next);
  vector_push(&list->items, next);
}

void tallies_pop(struct tallies *tallies, const struct event *event) {
  if (event_count_change(event)) list_of(tallies, event->object, event->thread)->items.count--;
}

struct tally tallies_find(const struct tallies *tallies, uint64_t object, thread_id thread, uint32_t end) {
  const struct list *list = list_of(tallies, object, thread);
  size_t low = 0, high = list->items.count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (list->items.items[middle].step < end)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? list->items.items[low - 1] : (struct tally){0};
}
