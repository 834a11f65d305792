/* SPDX-License-Identifier: MIT */
#include "explore/bounded/turns.h"

#include <stdlib.h>

static void drop(struct turn *turn) {
  vector_free(&turn->constraints);
  values_release(turn->values);
}

void turns_free(struct turns *self) {
  for (size_t i = 0; i < self->items.count; i++) drop(&self->items.items[i]);
  vector_free(&self->items);
}

void turns_add(struct turns *self, class_id class, struct step step, const struct sides *sides, const struct path *path,
               size_t i) {
  struct turn turn = {.class = class, .step = step, .sides = *sides, .values = values_hold(path->values)};
  for (size_t k = 0; k < i; k++) vector_push(&turn.constraints, path->constraints[k]);
  vector_push(&self->items, turn);
}

struct turn turns_ask(struct turns *self, struct inputs *inputs, struct turned *turned, struct values **values,
                      enum answer *answer) {
  struct turn *turn = &self->items.items[self->items.count - 1];
  turned->decision = turn->constraints.count;
  *answer = sides_next(&turn->sides, inputs, turn->constraints.items, turn->constraints.count, turn->values, values,
                       &turned->constraint);
  const struct turn asked = *turn;
  if (turn->sides.stage == SIDES_OVER) {
    drop(turn);
    self->items.count--;
  }
  return asked;
}
