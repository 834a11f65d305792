/* SPDX-License-Identifier: MIT
 *
 * What the search with a bound on preemptions knows: a graph whose nodes are classes of beginnings of runs. Beginnings
 * that differ only in the order of steps that commute are one class; they lead to the same state. An edge is a step
 * that some run took from a class, or that is known to be the same as one taken elsewhere. How a run decides on its
 * inputs belongs to its class: a step may lead from one class to several.
 *
 * An edge knows how few preemptions are enough to have taken it last (its cost), and whom the races of its step, and of
 * those with which its thread goes on, ask for (its demands). From both follows what is left to run: the steps that are
 * wanted at a class, as far as the bound allows them. All of this only grows, or gets cheaper, so it does not matter in
 * which order runs come. docs/algorithms/bounded.md has the rules, and why they leave nothing out.
 *
 * Classes, edges and steps have numbers from 1; 0 is none. Nothing is forgotten.
 */
#ifndef HEDDLE_EXPLORE_BOUNDED_CLASSES_H
#define HEDDLE_EXPLORE_BOUNDED_CLASSES_H

#include "base/id_index.h"
#include "explore/bounded/thread_rows.h"
#include "trace/trace.h"

typedef uint32_t class_id;
typedef uint32_t known_id; /* of a known step */
typedef uint32_t edge_id;
typedef uint32_t happening_id; /* of an event, whoever could have moved in its place: many steps are the same event */

#define MOST_THREADS 64u /* that sets have room for */

/* Two independent hashes: what they tell apart is taken to be different, what they do not, to be the same. */
struct fingerprint {
  uint64_t low, high;
};

/* A step with all that happens before it. */
struct known_step {
  struct fingerprint fingerprint;
  happening_id event;
  edge_id edges; /* that are this step */
  row_id raced;  /* of each thread, 1 + the number of its last step (from 0) that races with this one */
  bool ends_run; /* and races with whatever the others could still have done */
};

struct edge {
  class_id from, to;
  known_id step;
  edge_id next_from, next_to, next_of_step; /* in the lists of both classes and of the step */
  uint32_t cost;
  row_id demands; /* as `raced`, of all steps with which its thread goes on */
  thread_id thread;
  bool asks_everybody;
};

struct step_class {
  struct fingerprint fingerprint;
  uint64_t enabled;       /* threads that can move */
  uint64_t started;       /* threads that were taken here, or will be by a run under way */
  edge_id out, in;        /* lists of edges */
  row_id counts;          /* how many steps of each thread it has */
  uint32_t depth : 30;    /* steps */
  uint32_t is_listed : 1; /* among those with work */
  uint32_t is_short : 1;  /* a step is wanted that the bound does not allow */
};

struct other_way {
  class_id class;
  struct step step;
};

struct classes {
  VECTOR(struct step_class) classes;
  VECTOR(struct edge) edges;
  VECTOR(struct known_step) steps;
  VECTOR(struct event) events; /* by happening */
  struct id_index class_index, step_index, event_index;
  struct thread_rows rows;
  VECTOR(class_id) listed;
  VECTOR(struct other_way) ways; /* other alternatives of steps that were taken */
  VECTOR(class_id) cheaper;      /* a cache: classes whose edges may have become cheaper */
  uint64_t bound;
  uint64_t n_short; /* classes that are */
};

void classes_init(struct classes *self, uint64_t bound);
void classes_free(struct classes *self);
/* At most so many preemptions, more than before. */
void classes_raise_bound(struct classes *self, uint64_t bound);

static inline struct step_class *class_at(const struct classes *self, class_id class) {
  return &self->classes.items[class];
}
static inline struct edge *edge_at(const struct classes *self, edge_id edge) {
  return &self->edges.items[edge];
}
static inline struct known_step *step_at(const struct classes *self, known_id step) {
  return &self->steps.items[step];
}
static inline const struct event *step_event(const struct classes *self, known_id step) {
  return &self->events.items[step_at(self, step)->event];
}

/* The step with the fingerprint; *is_new: it was not known, and is now. */
known_id classes_know_step(struct classes *self, struct fingerprint fingerprint, const struct event *event,
                           bool *is_new);
/* The class before the first step, where a run has decided on its inputs as `decided` says. */
class_id classes_know_first(struct classes *self, struct fingerprint decided, uint64_t enabled);
/* The class after the step, where a run has decided so since. */
class_id classes_know_class(struct classes *self, class_id from, known_id step, struct fingerprint decided,
                            uint64_t enabled);
bool classes_has_step_of(const struct classes *self, class_id class, thread_id thread);
/* A run took the step from one to the other. */
void classes_link(struct classes *self, class_id from, known_id step, class_id to);
/* The thread's step with this number (from 0) races with it. */
void classes_race(struct classes *self, known_id step, thread_id thread, uint32_t number);
/* The step ends the run. */
void classes_end_run(struct classes *self, known_id step);

/* The next step to be run. False: there is none now. */
bool classes_take(struct classes *self, class_id *class, struct step *step);
/* The threads of which a step is still to be run at the class. */
uint64_t classes_work(const struct classes *self, class_id class);
/* How many classes have work, at least. */
uint64_t classes_left(const struct classes *self);
/* An estimate of how much of what the bound allows is done, 0 to 1. Takes as long as the ways to all that is left. */
double classes_part_done(const struct classes *self);
/* Appends the steps to the class, with as few preemptions as are known to be enough to take the thread there. */
void classes_append_path(const struct classes *self, class_id class, thread_id thread, struct schedule *schedule);

#endif
