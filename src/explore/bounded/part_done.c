/* SPDX-License-Identifier: MIT
 *
 * How much of what the bound allows is done. The edges by which classes were first reached make the graph a tree. As in
 * Knuth's estimate, all ways on from a class of the tree are taken to be alike: a class has its parent's share, divided
 * by the number of these ways, those that are still to be run included. What is left is the sum of the shares of the
 * ways that are. Ways to classes that were known before lead to nothing new, and have no share.
 */
#include "explore/bounded/classes.h"

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

/* Of all there is, below the class. */
static double share_of(const struct classes *self, class_id class) {
  double share = 1;
  for (edge_id i = first_arrival(self, class); i; i = first_arrival(self, class)) {
    class = edge_at(self, i)->from;
    share /= ways_taken(self, class) + ways_left(self, class);
  }
  return share;
}

double classes_part_done(const struct classes *self) {
  double left = 0;
  for (size_t i = 0; i < self->listed.count; i++) {
    const class_id class = self->listed.items[i];
    const unsigned ways = ways_left(self, class);
    if (ways > 0) left += share_of(self, class) * ways / (ways + ways_taken(self, class));
  }
  return left < 1 ? 1 - left : 0;
}
