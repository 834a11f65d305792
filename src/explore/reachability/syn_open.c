/* SPDX-License-Identifier: MIT
 *
 * OpenLists: which operations an object could complete. A lock or semaphore has a bit that is set while it is closed;
 * src/model says which events open and close it.
 */
#include "explore/reachability/syn_builder.h"
#include "model/object.h"

static uint32_t bit_of(struct builder *b, uint32_t object, uint64_t address) {
  for (size_t i = 0; i < b->bits.count; i++)
    if (b->bits.items[i].object == object && b->bits.items[i].address == address) return b->bits.items[i].bit;
  uint8_t *n_bits = &b->n_bits.items[object];
  if (*n_bits + 2u > 64) return SYN_UNKNOWN;
  vector_push(&b->bits, ((struct lock_bit){address, object, *n_bits}));
  *n_bits += 2;
  return *n_bits - 2u;
}

uint32_t syn_open_operation(struct builder *b, uint32_t object, uint8_t kind, uint64_t address, uint32_t flags) {
  if (b->objects->is_one || flags & (EVENT_PARKED | EVENT_OF_ALL)) return SYN_UNKNOWN;
  if (flags & EVENT_GIVES_UP) return kind_need(kind) == NEEDS_RELOCK ? SYN_UNKNOWN : SYN_ALWAYS;
  if (!kind_waits(kind)) return SYN_ALWAYS;
  switch (kind_need(kind)) {
  case NEEDS_FREE: return flags & EVENT_NESTED ? SYN_ALWAYS : bit_of(b, object, address);
  case NEEDS_RELOCK:
  case NEEDS_SIGNAL:
  case NEEDS_TOKEN: return bit_of(b, object, address);
  case NEEDS_NO_TOKEN: {
    const uint32_t bit = bit_of(b, object, address);
    return bit == SYN_UNKNOWN ? SYN_UNKNOWN : bit + 1;
  }
  default: return SYN_UNKNOWN;
  }
}

static void set_closed(struct builder *b, uint32_t object, uint32_t bit, bool is_closed) {
  if (bit == SYN_UNKNOWN) return;
  if (is_closed)
    b->closed.items[object] |= 1ull << bit;
  else
    b->closed.items[object] &= ~(1ull << bit);
}

static void set_counter(struct builder *b, uint32_t object, const struct event *event, uint64_t value) {
  const uint32_t bit = bit_of(b, object, event->object);
  set_closed(b, object, bit, value == 0);
  if (bit != SYN_UNKNOWN && event_class_of(event) == CLASS_BINARY) set_closed(b, object, bit + 1, value > 0);
}

/* What a semaphore had before its first operation in the run. */
void syn_open_before(struct builder *b, uint32_t object, const struct event *event) {
  uint64_t tokens;
  if (event_tokens_before(event, &tokens)) set_counter(b, object, event, tokens);
}

/* A lock that one thread can have is closed while one has it. Whether an rwlock is, only the run knows. */
void syn_open_after(struct builder *b, uint32_t object, const struct event *event) {
  const bool is_nested = event_class_of(event) == CLASS_MUTEX && event->flags & EVENT_NESTED;
  const uint64_t taken = event_lock_taken(event), given = event_lock_given(event);
  if (event_class_of(event) == CLASS_RWLOCK || is_nested) return;
  if (taken) set_closed(b, object, bit_of(b, object, taken), true);
  if (given) set_closed(b, object, bit_of(b, object, given), false);
  switch (event_effect_of(event)) {
  case EFFECT_TAKES_TOKEN:
  case EFFECT_GIVES_TOKEN:
  case EFFECT_LOWERS:
  case EFFECT_RAISES: set_counter(b, object, event, event->value); break;
  default: break;
  }
}
