/* SPDX-License-Identifier: MIT
 *
 * How much of what the bound allows is done. The edges by which classes were first reached make the graph a tree. As in
 * Knuth's estimate, all ways on from a class of the tree are taken to be alike: a class has its parent's share, divided
 * by the number of these ways, those that are still to be run included. What is left is the sum of the shares of the
 * ways that are. Ways to classes that were known before lead to nothing new, and have no share.
 */
#include "explore/bounded/classes.h"

#include <stdlib.h>

/* The edge by which the class was first reached: the last in its list. */
static edge_id first_arrival(const struct classes *self, class_id class) {
  edge_id i = class_at(self, class)->in;
  while (i && edge_at(self, i)->next_to) i = edge_at(self, i)->next_to;
  return i;
}

static unsigned ways_taken(const struct classes *self, class_id class) {
  unsigned ways = 0;
  for (edge_id i = class_at(self, class)->out; i; i = edge_at(self, i)->next_from)
    ways += edge_at(self, i)->next_to == 0;
  return ways;
}

static unsigned ways_left(const struct classes *self, class_id class) {
  return (unsigned)__builtin_popcountll(classes_work(self, class));
}

/* Of all there is, below the class; 0 in the table: not known yet. */
struct shares {
  const struct classes *classes;
  double *table;
  VECTOR(class_id) path; /* from a class towards the first, to one whose share is known */
};

static double share_of(struct shares *shares, class_id class) {
  const struct classes *self = shares->classes;
  shares->path.count = 0;
  while (shares->table[class] == 0) {
    const edge_id arrival = first_arrival(self, class);
    vector_push(&shares->path, class);
    if (!arrival) break;
    class = edge_at(self, arrival)->from;
  }
  for (size_t i = shares->path.count; i > 0; i--) {
    const class_id below = shares->path.items[i - 1];
    const bool is_first = shares->table[class] == 0;
    shares->table[below] = is_first ? 1 : shares->table[class] / (ways_taken(self, class) + ways_left(self, class));
    class = below;
  }
  return shares->table[class];
}

/* More would take longer than it is worth. */
#define MOST_CLASSES 400000

double classes_part_done(const struct classes *self) {
  double left = 0;
  if (self->classes.count > MOST_CLASSES) return 0;
  struct shares shares = {self, memory_allocate((self->classes.count + 1) * sizeof *shares.table), {0}};
  for (size_t i = 0; i < self->listed.count; i++) {
    const class_id class = self->listed.items[i];
    const unsigned ways = ways_left(self, class);
    if (ways > 0) left += share_of(&shares, class) * ways / (ways + ways_taken(self, class));
  }
  free(shares.table);
  vector_free(&shares.path);
  return left < 1 ? 1 - left : 0;
}
