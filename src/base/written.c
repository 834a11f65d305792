/* SPDX-License-Identifier: MIT
 *
 * A number is written seven bits a byte, the low ones first; the high bit of a byte says that more follow.
 */
#include "base/written.h"

#include <string.h>

#define MORE 0x80u
#define NUMBER_BITS 64u

void written_add_number(struct text *text, uint64_t number) {
  for (; number >= MORE; number >>= 7) text_append_bytes(text, &(uint8_t){(uint8_t)(number | MORE)}, 1);
  text_append_bytes(text, &(uint8_t){(uint8_t)number}, 1);
}

void written_add_double(struct text *text, double number) {
  text_append_bytes(text, &number, sizeof number);
}

void written_add_bytes(struct text *text, const void *bytes, size_t count) {
  if (count > 0) text_append_bytes(text, bytes, count);
}

void written_add_text(struct text *text, const char *bytes, size_t count) {
  written_add_number(text, count);
  written_add_bytes(text, bytes, count);
}

bool written_refuse(struct written *written) {
  written->failed = true;
  written->at = written->end;
  return false;
}

uint64_t written_take_number(struct written *written) {
  uint64_t number = 0;
  for (unsigned shift = 0; shift < NUMBER_BITS && written->at < written->end; shift += 7) {
    const uint8_t byte = (uint8_t)*written->at++;
    number |= (uint64_t)(byte & ~MORE) << shift;
    if (!(byte & MORE)) return number;
  }
  written_refuse(written);
  return 0;
}

uint64_t written_take_below(struct written *written, uint64_t limit) {
  const uint64_t number = written_take_number(written);
  if (number < limit) return number;
  written_refuse(written);
  return 0;
}

bool written_take_bool(struct written *written) {
  return written_take_below(written, 2);
}

size_t written_take_count(struct written *written, size_t least_bytes) {
  const uint64_t count = written_take_number(written);
  if (count <= (uint64_t)(written->end - written->at) / least_bytes) return count;
  written_refuse(written);
  return 0;
}

bool written_take_bytes(struct written *written, void *bytes, size_t count) {
  if ((size_t)(written->end - written->at) < count) {
    memset(bytes, 0, count);
    return written_refuse(written);
  }
  if (count > 0) memcpy(bytes, written->at, count);
  written->at += count;
  return true;
}

double written_take_double(struct written *written) {
  double number;
  written_take_bytes(written, &number, sizeof number);
  return number;
}

const char *written_take_text(struct written *written, size_t *count) {
  *count = written_take_count(written, 1);
  const char *bytes = written->at;
  written->at += *count;
  return bytes;
}

bool written_is_over(const struct written *written) {
  return !written->failed && written->at == written->end;
}
