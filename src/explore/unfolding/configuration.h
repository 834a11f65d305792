/* SPDX-License-Identifier: MIT
 *
 * A configuration: a set of events of a net that can all happen in one run. Events are put in with all that they
 * follow, and taken out again in the reverse order. What a configuration says about events and conditions stands in
 * arrays by their ids, so that a conflict is seen without a look-up.
 *
 * The arrays grow with the net, and so an exploration has one configuration. Whoever works with it is given it, and
 * leaves it as it was, or says what is in it afterwards.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_CONFIGURATION_H
#define HEDDLE_EXPLORE_UNFOLDING_CONFIGURATION_H

#include "explore/unfolding/net.h"

#define NOBODY UINT32_MAX /* as a follower or consumer: nothing may be put in that would be it */

enum configuration_mark {
  MARK_INSIDE = 1,
  MARK_EXCLUDED = 2, /* may not be put in */
  MARK_NEW = 4,      /* is just being put in */
  MARK_ENTERED = 8,  /* by a search */
  MARK_LEFT = 16,
};

struct event_state {
  event_id follower; /* the next one of its thread */
  uint8_t marks;     /* enum configuration_mark */
};

/* What has become of a condition. */
struct condition_use {
  event_id maker; /* of the condition, whether or not it is in the configuration */
  event_id consumer;
  access_id reader; /* list of accesses */
  uint32_t n_readers;
};

/* Of a search: how far it has come with what is before the event. */
struct search_visit {
  event_id event;
  access_id reader; /* the next look to give */
  uint8_t access;   /* the next access */
  bool has_begun;
};

/* The trail with this length is the first to have a look that was not executed before the change it comes before; the
 * smallest rank of such changes. */
struct late_look {
  size_t length;
  uint32_t change;
};

struct lowest_before {
  size_t length; /* of the trail, before it was made longer */
  place_id lowest;
};

struct net_configuration {
  struct net *net;
  event_ids trail;                      /* in the order in which it was put together */
  VECTOR(struct event_state) states;    /* by event */
  VECTOR(struct condition_use) uses;    /* by condition */
  VECTOR(access_id) next_readers;       /* by access: the next look at the condition */
  VECTOR(condition_id) near;            /* by object: was there in some configuration, 0: the root */
  VECTOR(struct late_look) late_looks;  /* contextual */
  place_id lowest;                      /* of the hub */
  VECTOR(struct lowest_before) befores; /* of `lowest` */
  event_ids stack;                      /* of events to be put in, or that a search has entered */
  VECTOR(struct search_visit) visits;
};

void configuration_init(struct net_configuration *self, struct net *net);
void configuration_release(struct net_configuration *self);
uint64_t configuration_size_bytes(const struct net_configuration *self);

/* Puts in the event and all that it follows. False, and nothing changed: they cannot happen together with what is
 * there.
 */
bool configuration_add(struct net_configuration *self, event_id event);
/* Puts in the event and all that it follows; what is there is a part of that. */
void configuration_complete(struct net_configuration *self, event_id event);
/* Takes out what was put in after the trail had this length. */
void configuration_remove(struct net_configuration *self, size_t length);
/* Is there an event in it that ends every run? */
bool configuration_ends_run(const struct net_configuration *self);
/* The condition of the object that is there when all of the configuration has happened. */
condition_id configuration_current(struct net_configuration *self, object_id object);
/* Its events in an order in which they can happen, that of `last`, one after the other, with what each follows; those
 * that end the run come last. All others are in the past of these, or `last` is the trail. */
void configuration_list(struct net_configuration *self, const event_ids *last, event_ids *list);

static inline bool configuration_has(const struct net_configuration *self, event_id event) {
  return event < self->states.count && self->states.items[event].marks & MARK_INSIDE;
}

#endif
