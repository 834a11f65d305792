/* SPDX-License-Identifier: MIT
 *
 * Reading bytes that may be damaged: a cursor stops at its end and then gives zeros, so that what is damaged ends the
 * search and nothing else.
 */
#ifndef HEDDLE_PROGRAM_CURSOR_H
#define HEDDLE_PROGRAM_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
  const uint8_t *at, *end;
};

static inline bool at_end(const struct cursor *cursor) {
  return cursor->at >= cursor->end;
}

static inline void stop(struct cursor *cursor) {
  cursor->at = cursor->end;
}

static inline void skip(struct cursor *cursor, uint64_t count) {
  if (count > (uint64_t)(cursor->end - cursor->at))
    stop(cursor);
  else
    cursor->at += count;
}

static inline uint64_t take(struct cursor *cursor, size_t count) {
  uint64_t value = 0;
  if (count > (size_t)(cursor->end - cursor->at)) {
    stop(cursor);
    return 0;
  }
  memcpy(&value, cursor->at, count);
  cursor->at += count;
  return value;
}

static inline uint64_t take_unsigned(struct cursor *cursor) {
  uint64_t value = 0;
  for (unsigned shift = 0; !at_end(cursor); shift += 7) {
    const uint8_t byte = *cursor->at++;
    if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) break;
  }
  return value;
}

#endif
