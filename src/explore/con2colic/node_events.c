/* SPDX-License-Identifier: MIT
 *
 * What the events in the forest are to con2colic: which of them take and give locks, and which it has constraints for.
 */
#include "explore/con2colic/realise.h"
#include "model/kinds.h"

/* Locks that con2colic knows: those of POSIX. */
static bool is_of_lock(uint8_t event) {
  switch (kind_class(event)) {
  case CLASS_MUTEX:
  case CLASS_CONDITION:
  case CLASS_RWLOCK:
  case CLASS_SPINLOCK: return true;
  default: return false;
  }
}

static enum lock_use use_in_vain(uint8_t attempted) {
  if (kind_waits(attempted)) return LOCK_NONE;
  return kind_effect(attempted) == EFFECT_SHARES ? LOCK_FAILS_SHARED : LOCK_FAILS;
}

enum lock_use node_lock_use(const struct node *node) {
  if (node->kind != NODE_EVENT || node->flags & NODE_NESTED || !is_of_lock(node->event)) return LOCK_NONE;
  switch (kind_effect(node->event)) {
  case EFFECT_TAKES:
  case EFFECT_RELOCKS: return LOCK_TAKES;
  case EFFECT_SHARES: return LOCK_TAKES_SHARED;
  case EFFECT_GIVES:
  case EFFECT_UNSHARES:
  case EFFECT_WAITS: return LOCK_GIVES;
  case EFFECT_FAILS: return use_in_vain(kind_attempted(node->event));
  default: return LOCK_NONE;
  }
}

static bool is_wait(const struct node *node) {
  return node->kind == NODE_EVENT && kind_effect(node->event) == EFFECT_WAITS;
}

uint64_t node_lock(const struct forest *forest, node_id id) {
  const struct node *node = forest_at(forest, id);
  if (kind_effect(node->event) == EFFECT_WAITS) return node->value;
  if (kind_effect(node->event) != EFFECT_RELOCKS) return node->object;
  for (node_id before = node->parent; forest_at(forest, before)->kind != NODE_START;
       before = forest_at(forest, before)->parent)
    if (is_wait(forest_at(forest, before))) return forest_at(forest, before)->value;
  return 0;
}

bool node_is_modelled(const struct node *node) {
  if (node->kind != NODE_EVENT || node_lock_use(node) != LOCK_NONE || node->flags & NODE_NESTED) return true;
  switch (kind_effect(node->event)) {
  case EFFECT_RENEWS:
  case EFFECT_TAKES_TOKEN:
  case EFFECT_GIVES_TOKEN:
  case EFFECT_ASKS:
  case EFFECT_ARRIVES:
  case EFFECT_LEAVES:
  case EFFECT_ISOLATES:
  case EFFECT_REJOINS:
  case EFFECT_ENTERS:
  case EFFECT_FINISHES:
  case EFFECT_EXITS:
  case EFFECT_STOPS: return true;
  case EFFECT_FAILS: return kind_class(node->event) == CLASS_SEMAPHORE && !kind_waits(kind_attempted(node->event));
  default: return kind_has(node->event, TRAIT_IS_SIGNAL);
  }
}
