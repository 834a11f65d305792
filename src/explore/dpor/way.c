/* SPDX-License-Identifier: MIT */
#include "explore/dpor/way.h"

#include <stdlib.h>

void way_free(struct way *way) {
  vector_free(&way->nodes);
  vector_free(&way->ids);
}

static void set_length(struct way *way, size_t length) {
  while (way->nodes.count < length) {
    vector_push(&way->nodes, NULL);
    vector_push(&way->ids, 0);
  }
  way->nodes.count = way->ids.count = length;
}

uint32_t way_go_to(struct way *way, struct wakeup_node *node) {
  set_length(way, node->depth + 1);
  for (; node->parent && way->ids.items[node->depth] != node->id; node = node->parent) {
    way->nodes.items[node->depth] = node;
    way->ids.items[node->depth] = node->id;
  }
  return node->parent ? node->depth : 0;
}

void way_extend(struct way *way, struct wakeup_node *child) {
  vector_push(&way->nodes, child);
  vector_push(&way->ids, child->id);
}

void way_steps_free(struct way_steps *steps) {
  way_free(&steps->way);
  vector_free(&steps->steps);
}

void way_append_steps(struct way_steps *steps, struct wakeup_node *node, struct schedule *schedule) {
  const uint32_t common = way_go_to(&steps->way, node);
  steps->steps.count = common;
  for (uint32_t depth = common + 1; depth <= node->depth; depth++) {
    const struct event *event = &steps->way.nodes.items[depth]->event;
    vector_push(&steps->steps, ((struct step){event->thread, event->alternative}));
  }
  schedule_append(schedule, steps->steps.items, steps->steps.count);
}
