/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/pasts.h"

#include <stdlib.h>

/* The past of an event is in the configuration when the trail has this length. */
struct kept {
  event_id event;
  size_t length;
};

/* What is known of an event that was kept. */
struct keeping {
  event_id parent; /* the one kept before it, 0: not known */
  uint32_t place;  /* 1 + where it is, if it is there */
};

struct pasts {
  struct net *net;
  struct net_configuration *configuration;
  VECTOR(struct kept) kept;       /* each is a part of the next */
  VECTOR(struct keeping) keeping; /* by event */
  event_ids way;                  /* from the event whose past is put in to one that is kept */
};

struct pasts *pasts_create(struct net_configuration *configuration) {
  struct pasts *self = memory_allocate(sizeof *self);
  self->net = configuration->net;
  self->configuration = configuration;
  return self;
}

void pasts_destroy(struct pasts *self) {
  vector_free(&self->kept);
  vector_free(&self->keeping);
  vector_free(&self->way);
  free(self);
}

/* ---- what is there already ---- */

/* 1 + the place, 0: it is not kept. */
static size_t place_of(const struct pasts *self, event_id event) {
  if (event >= self->keeping.count) return 0;
  const uint32_t place = self->keeping.items[event].place;
  return place && place <= self->kept.count && self->kept.items[place - 1].event == event ? place : 0;
}

static event_id parent_of(const struct pasts *self, event_id event) {
  const event_id parent = event < self->keeping.count ? self->keeping.items[event].parent : 0;
  return parent ? parent : self->net->events.items[event].previous;
}

/* Where is the most kept that is part of the past to be put in? */
struct search_for_kept {
  size_t place;   /* 1 + that, 0: nothing is */
  event_id cause; /* of the event: the way from it, by parents, leads there */
};

/* Is there more to keep if the event follows `cause`? Looks no further than it would take to put in again what comes
 * after what is found so far. */
static void look_for_kept(const struct pasts *self, event_id first, struct search_for_kept *best) {
  if (best->place == self->kept.count && best->cause) return;
  const size_t length = best->place > 0 ? self->kept.items[best->place - 1].length : 0;
  event_id cause = first;
  if (!best->cause) best->cause = first;
  for (size_t left = self->configuration->trail.count - length; cause && left > 0; left--) {
    const size_t place = place_of(self, cause);
    if (place > best->place) *best = (struct search_for_kept){place, first};
    if (place) return;
    cause = parent_of(self, cause);
  }
}

static struct search_for_kept find_kept(const struct pasts *self, event_id id) {
  const struct net *net = self->net;
  const struct net_event *event = &net->events.items[id];
  struct search_for_kept best = {0};
  look_for_kept(self, event->previous, &best);
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const access_id access = event->first_access + i;
    look_for_kept(self, net->conditions.items[net->accesses.items[access].condition].event, &best);
    if (!access_lists_looks(net, &net->accesses.items[access])) continue;
    const uint32_t *record = net_readers(net, id, access);
    for (uint32_t k = 0; k < record[1]; k++) look_for_kept(self, record[2 + k], &best);
  }
  return best;
}

/* ---- putting in ---- */

static void keep(struct pasts *self, event_id event) {
  while (self->keeping.count <= event) vector_push(&self->keeping, (struct keeping){0});
  const event_id parent = self->kept.count > 0 ? self->kept.items[self->kept.count - 1].event : 0;
  vector_push(&self->kept, ((struct kept){event, self->configuration->trail.count}));
  self->keeping.items[event] = (struct keeping){parent, (uint32_t)self->kept.count};
}

static void keep_first(struct pasts *self, size_t count) {
  self->kept.count = count;
  configuration_remove(self->configuration, count > 0 ? self->kept.items[count - 1].length : 0);
}

/* Past after past of the events on the way from what is kept, so that there is something to keep wherever the next past
 * parts. Each of them follows the one before it. */
static void put_way(struct pasts *self, event_id event, event_id cause) {
  self->way.count = 0;
  vector_push(&self->way, event);
  for (; cause && !configuration_has(self->configuration, cause); cause = parent_of(self, cause))
    vector_push(&self->way, cause);
  while (self->way.count > 0) {
    const event_id next = self->way.items[--self->way.count];
    configuration_complete(self->configuration, next);
    keep(self, next);
  }
}

void pasts_put(struct pasts *self, event_id event) {
  const size_t place = place_of(self, event);
  const struct search_for_kept found = place ? (struct search_for_kept){.place = place} : find_kept(self, event);
  keep_first(self, found.place);
  if (!place) put_way(self, event, found.cause);
}

void pasts_put_to_run(struct pasts *self, event_id event) {
  if (!self->net->has_inputs) {
    pasts_put(self, event);
    return;
  }
  pasts_put_away(self);
  configuration_complete(self->configuration, event);
}

void pasts_take_out(struct pasts *self) {
  keep_first(self, self->kept.count > 0 ? self->kept.count - 1 : 0);
}

void pasts_put_away(struct pasts *self) {
  self->kept.count = 0;
  configuration_remove(self->configuration, 0);
}
