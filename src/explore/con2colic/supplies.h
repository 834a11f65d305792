/* SPDX-License-Identifier: MIT
 *
 * What scenarios need, by kind and object: the nodes that can fulfil it, and the scenarios that wait for more of them.
 */
#ifndef HEDDLE_EXPLORE_CON2COLIC_SUPPLIES_H
#define HEDDLE_EXPLORE_CON2COLIC_SUPPLIES_H

#include "base/id_index.h"
#include "explore/con2colic/realise.h"

/* A scenario that waits for something that helps its node. */
struct wait {
  scenario_id scenario;
  node_id node;
};

/* Everything of one kind and object, and who waits for it. */
struct supply {
  enum need_kind kind;
  uint64_t object;
  node_list sources;
  VECTOR(struct wait) waits;
};

struct supplies {
  VECTOR(struct supply) items;
  struct id_index index; /* 1 + the number of an item, by kind and object */
};

void supplies_free(struct supplies *self);
/* Made if there is none. Valid until the next call. */
struct supply *supplies_of(struct supplies *self, enum need_kind kind, uint64_t object);

#endif
