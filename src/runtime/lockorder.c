/* SPDX-License-Identifier: MIT
 *
 * Which locks a thread holds, and locks that are taken in two orders.
 *
 * Within a run, an edge says: this thread took lock `to` here, with waiting if need be, while it held lock `from`. A
 * cycle of edges of different threads is a deadlock that has not happened yet, unless
 *  - two of the threads hold a common lock at their edges (a gate), so that they are never there together;
 *  - one edge is before another by creation and joining of threads;
 *  - a thread would wait for a lock that the next one only holds for reading, as it wants it itself.
 * Taking a lock with a try or a time limit makes no edge: it cannot wait forever.
 *
 * Edges hang at the lock they start from, and belong to one run. The shortest cycle that a new edge closes is told, at
 * most MAX_CYCLE locks long.
 */
#include "sharing.h"
#include "warnings.h"

#define MAX_CYCLE 4
#define MAX_SEARCH 20000 /* edges that are looked at for the cycles of a new one */

static bool has(const struct lock_edge *edge, const struct object *lock, bool reading) {
  for (uint32_t i = 0; i < edge->n_held; i++)
    if (edge->held[i].lock == lock && !(edge->held[i].reading && reading)) return true;
  return false;
}

static bool have_gate(const struct lock_edge *a, const struct lock_edge *b) {
  for (uint32_t i = 0; i < a->n_held; i++)
    if (has(b, a->held[i].lock, a->held[i].reading)) return true;
  return false;
}

/* Both can stand at their edges at the same time. `a` was there first. */
static bool can_meet(const struct lock_edge *a, const struct lock_edge *b) {
  return a->thread != b->thread && !have_gate(a, b) && !sharing_is_before(a->segment, b->thread) &&
         !sharing_is_before(b->segment, a->thread);
}

static bool fits(const struct lock_edge *edge, struct lock_edge *const *path, uint32_t length) {
  const struct lock_edge *before = path[length - 1];
  if (before->reading && edge->held_reading) return false;
  for (uint32_t i = 0; i < length; i++)
    if (!can_meet(edge, path[i])) return false;
  return true;
}

/* Completes path[0 .. length - 1] to a cycle of exactly `wanted` edges. */
static bool find_cycle(struct lock_edge **path, uint32_t length, uint32_t wanted) {
  const struct lock_edge *first = path[0];
  for (uint32_t i = path[length - 1]->to->edges; i; i = rt->order.edges[i].next) {
    struct lock_edge *edge = &rt->order.edges[i];
    if (rt->order.search_left == 0) return false;
    rt->order.search_left--;
    if (!fits(edge, path, length)) continue;
    path[length] = edge;
    if (length + 1 < wanted && edge->to != first->from && find_cycle(path, length + 1, wanted)) return true;
    if (length + 1 == wanted && edge->to == first->from && !(edge->reading && first->held_reading)) return true;
  }
  return false;
}

/* ---- telling ---- */

/* The lock that makes the order comes first. */
static void list_locks(uint64_t *locks, site_id *sites, const struct lock_edge *edge) {
  uint32_t count = 1;
  locks[0] = edge->from->address;
  for (uint32_t i = 0; i < edge->n_held; i++) {
    const bool is_from = edge->held[i].lock == edge->from;
    if (!is_from && count == WARNING_LOCKS) continue;
    const uint32_t place = is_from ? 0 : count++;
    locks[place] = edge->held[i].lock->address;
    sites[place] = edge->held_sites[i];
  }
}

static char *append(char *at, const char *end, const char *text) {
  while (*text && at < end) *at++ = *text++;
  *at = 0;
  return at;
}

/* " at line 12 (c)" for the edges that have no place of their own in a warning. */
static void describe_rest(char *message, size_t size, struct lock_edge *const *path, uint32_t length) {
  const char *end = message + size - 1;
  char *at = append(message, end, "a cycle of more than two locks, closed at");
  for (uint32_t i = 2; i < length; i++) {
    const struct site *site = (const struct site *)(uint64_t)path[i]->site;
    char digits[12], *digit = &digits[11];
    *digit = 0;
    for (uint32_t line = site ? site->line : 0; line || !*digit; line /= 10) *--digit = (char)('0' + line % 10);
    at = append(append(at, end, i > 2 ? ", line " : " line "), end, digit);
    if (site && *site->variable) at = append(append(append(at, end, " ("), end, site->variable), end, ")");
  }
}

/* So that a cycle is the same whichever of its edges closes it. */
static void rotate_to_least_site(struct lock_edge **path, uint32_t length) {
  uint32_t least = 0;
  struct lock_edge *rotated[MAX_CYCLE];
  for (uint32_t i = 1; i < length; i++)
    if (path[i]->site < path[least]->site) least = i;
  for (uint32_t i = 0; i < length; i++) rotated[i] = path[(least + i) % length];
  memcpy(path, rotated, length * sizeof *path);
}

static void tell(struct lock_edge **path, uint32_t length) {
  rotate_to_least_site(path, length);
  struct warning warning = {.kind = WARNING_LOCK_ORDER,
                            .site = path[0]->site,
                            .other_site = path[1]->site,
                            .thread = path[0]->thread,
                            .other_thread = path[1]->thread,
                            .address = path[0]->to->address,
                            .other_address = path[1]->to->address};
  list_locks(warning.locks, warning.lock_sites, path[0]);
  list_locks(warning.other_locks, warning.other_lock_sites, path[1]);
  if (length > 2) describe_rest(warning.message, sizeof warning.message, path, length);
  warnings_add(&warning);
}

/* ---- edges ---- */

static bool is_same(const struct lock_edge *a, const struct lock_edge *b) {
  return a->from == b->from && a->to == b->to && a->thread == b->thread && a->segment == b->segment &&
         a->site == b->site && a->reading == b->reading && a->n_held == b->n_held &&
         memcmp(a->held, b->held, a->n_held * sizeof *a->held) == 0;
}

static uint32_t hash(const struct lock_edge *edge) {
  const uint64_t places = edge->from->address * 31 + edge->to->address;
  const uint64_t key = places * 31 + edge->site + ((uint64_t)edge->thread << 40);
  return (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 40);
}

/* Where the edge is, or would be. */
static struct known_edge *find_known(const struct lock_edge *edge) {
  for (uint32_t place = hash(edge);; place++) {
    struct known_edge *known = &rt->order.known[place % (2 * MAX_LOCK_EDGES)];
    if (known->run != rt->race.run || is_same(&rt->order.edges[known->edge], edge)) return known;
  }
}

static struct lock_edge *add_edge(const struct lock_edge *edge) {
  struct known_edge *known = find_known(edge);
  if (known->run == rt->race.run || rt->order.n_edges == MAX_LOCK_EDGES) return NULL;
  *known = (struct known_edge){rt->race.run, rt->order.n_edges};
  struct lock_edge *added = &rt->order.edges[rt->order.n_edges];
  *added = *edge;
  added->next = edge->from->edges;
  edge->from->edges = rt->order.n_edges++;
  return added;
}

static void look_for_cycles(struct lock_edge *edge) {
  struct lock_edge *path[MAX_CYCLE] = {edge};
  rt->order.search_left = MAX_SEARCH;
  for (uint32_t wanted = 2; wanted <= MAX_CYCLE; wanted++)
    if (find_cycle(path, 1, wanted)) {
      tell(path, wanted);
      return;
    }
}

site_id lockorder_taken_at(const struct thread *thread, const struct object *lock) {
  for (uint32_t i = 0; i < thread->n_read_holds; i++)
    if (thread->read_holds[i].lock == lock) return thread->read_holds[i].site;
  return lock->owner_site;
}

static bool holds(const struct thread *thread, const struct object *lock) {
  for (uint32_t i = 0; i < thread->n_held; i++)
    if (thread->held[i].lock == lock) return true;
  return false;
}

void lockorder_waits_for(struct object *lock, site_id site, bool reading) {
  const struct thread *thread = self();
  if (!thread->n_held || holds(thread, lock)) return;
  struct lock_edge edge = {.to = lock,
                           .site = site,
                           .thread = thread->id,
                           .segment = thread->segment,
                           .reading = reading,
                           .n_held = (uint8_t)thread->n_held};
  memcpy(edge.held, thread->held, thread->n_held * sizeof *thread->held);
  for (uint32_t i = 0; i < thread->n_held; i++) edge.held_sites[i] = lockorder_taken_at(thread, thread->held[i].lock);
  for (uint32_t i = 0; i < thread->n_held; i++) {
    edge.from = thread->held[i].lock;
    edge.held_reading = thread->held[i].reading;
    struct lock_edge *added = add_edge(&edge);
    if (added) look_for_cycles(added);
  }
}

void lockorder_taken(struct object *lock, bool reading) {
  struct thread *thread = self();
  thread->lock_set = 0;
  if (thread->n_held < MAX_HELD) thread->held[thread->n_held++] = (struct held_lock){lock, reading};
}

void lockorder_released(const struct object *lock) {
  struct thread *thread = self();
  thread->lock_set = 0;
  for (uint32_t i = thread->n_held; i-- > 0;) {
    if (thread->held[i].lock != lock) continue;
    thread->n_held--;
    for (; i < thread->n_held; i++) thread->held[i] = thread->held[i + 1];
    return;
  }
}

void lockorder_begin_run(void) {
  rt->order.n_edges = 1;
}

/* ---- the end ---- */

void lockorder_end_run(void) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    const struct thread *thread = &rt->threads[i];
    for (uint32_t k = 0; thread->state != ABSENT && k < thread->n_held; k++) {
      const struct object *lock = thread->held[k].lock;
      const struct warning warning = {.kind = WARNING_EXIT_WITH_LOCK,
                                      .site = lockorder_taken_at(thread, lock),
                                      .thread = thread->id,
                                      .other_thread = NO_THREAD,
                                      .address = lock->address};
      warnings_add(&warning);
    }
  }
}
