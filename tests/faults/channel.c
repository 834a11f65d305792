/* SPDX-License-Identifier: MIT */
#include "explore/ring.h"
bool __real_ring_write(struct ring_end *end, const void *record, uint32_t size_bytes);
enum ring_answer __real_ring_peek(struct ring_end *end, const void **record, uint32_t *size_bytes);

bool __wrap_ring_write(struct ring_end *end, const void *record, uint32_t size_bytes) {
  return __real_ring_write(end, record, size_bytes);
}

enum ring_answer __wrap_ring_peek(struct ring_end *end, const void **record, uint32_t *size_bytes) {
  return __real_ring_peek(end, record, size_bytes);
}
