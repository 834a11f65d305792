/* SPDX-License-Identifier: MIT
 *
 * Which bytes a call of a function of the C library touches, from its row in abi/effects.def and its arguments.
 */
#include "effects.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <wchar.h>

#define IS_INT 0x80u          /* of the number of an argument: INT() */
#define MOST_BYTES (1u << 20) /* of strings whose end is not known before they are written */

/* ---- arguments and results ---- */

static uint64_t argument(const struct effect_call *call, unsigned number) {
  const unsigned place = number & ~IS_INT;
  const uint64_t value = place < 6 ? call->general[place] : call->stack[place - 6];
  if (!(number & IS_INT)) return value;
  return (int)value < 0 ? 0 : (uint64_t)(int)value; /* the upper half of the register may be anything */
}

/* Whether it is an int or wider: what fails is -1. */
static uint64_t result_bytes(const struct effect_call *call) {
  return (int)call->result < 0 ? 0 : (uint64_t)(int)call->result;
}

static bool holds(const struct effect_call *call, const struct effect *effect) {
  const int result = (int)call->result;
  switch (effect->condition) {
  case ZERO: return result == 0;
  case POSITIVE:
  case POSITIVE_ELSE_CHANGED: return result > 0;
  case NONNEGATIVE: return result >= 0;
  case NONNULL: return call->result != 0;
  case GIVEN: return call->result == argument(call, effect->argument);
  default: return true;
  }
}

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Without wrapping around: sizes that the program gives may be absurd. */
static uint64_t product(uint64_t a, uint64_t b) {
  uint64_t bytes;
  return __builtin_mul_overflow(a, b, &bytes) ? UINT64_MAX : bytes;
}

/* ---- sizes ---- */

static uint64_t string_bytes(uint64_t address, uint64_t most) {
  const uint64_t length = strnlen((const char *)address, most);
  return length < most ? length + 1 : most;
}

static uint64_t wide_bytes(uint64_t address, uint64_t most) {
  const wchar_t *string = (const wchar_t *)address;
  uint64_t length = 0;
  while (length < most && string[length]) length++;
  return (length < most ? length + 1 : most) * sizeof(wchar_t);
}

static uint64_t first_byte(uint64_t address, int byte, uint64_t most) {
  const char *found = memchr((const void *)address, byte, most);
  return found ? (uint64_t)found - address + 1 : most;
}

static uint64_t address_bytes(int family) {
  return family == AF_INET6 ? sizeof(struct in6_addr) : sizeof(struct in_addr);
}

static uint64_t bytes_read(const struct effect_call *call, const struct effect *effect, uint64_t address) {
  switch (effect->size) {
  case SIZE_CONSTANT: return effect->a;
  case SIZE_ARGUMENT: return product(argument(call, effect->a), effect->b);
  case SIZE_PRODUCT: return product(argument(call, effect->a), argument(call, effect->b));
  case SIZE_STRING: return string_bytes(address, UINT64_MAX);
  case SIZE_WIDE_STRING: return wide_bytes(address, UINT64_MAX);
  case SIZE_STRING_AT_MOST: return string_bytes(address, argument(call, effect->a));
  case SIZE_FIRST_BYTE: return first_byte(address, (int)argument(call, effect->a), argument(call, effect->b));
  case SIZE_ADDRESS: return address_bytes((int)argument(call, effect->a));
  default: return 0;
  }
}

static uint64_t most_written(const struct effect_call *call, const struct effect *effect) {
  switch (effect->size) {
  case SIZE_CONSTANT:
  case SIZE_STRING_WITHIN:
  case SIZE_RESULT_OF: return effect->a;
  case SIZE_ARGUMENT:
  case SIZE_RESULT:
  case SIZE_RESULT_AND_ZERO: return product(argument(call, effect->a), effect->b);
  case SIZE_STRING_AT_MOST:
  case SIZE_COPIED: return argument(call, effect->a);
  case SIZE_COPIED_WIDE: return wide_bytes(argument(call, effect->a), UINT64_MAX);
  case SIZE_PRODUCT:
  case SIZE_RESULT_PRODUCT: return product(argument(call, effect->a), argument(call, effect->b));
  case SIZE_POINTED: return argument(call, effect->a) ? *(const socklen_t *)argument(call, effect->a) : 0;
  case SIZE_ADDRESS: return address_bytes((int)argument(call, effect->a));
  default: return 0;
  }
}

static uint64_t written(const struct effect_call *call, const struct effect *effect, const struct span *span) {
  const uint64_t most = span->bytes, result = result_bytes(call);
  if (!holds(call, effect)) return 0;
  switch (effect->size) {
  case SIZE_STRING_WITHIN:
  case SIZE_STRING_AT_MOST: return string_bytes(span->address, most);
  case SIZE_RESULT: return product(result, effect->b);
  case SIZE_RESULT_OF: return result;
  case SIZE_RESULT_AND_ZERO: return (int)call->result < 0 ? 0 : product(result + 1, effect->b);
  case SIZE_RESULT_PRODUCT: return product(result, argument(call, effect->a));
  case SIZE_COPIED: return call->result ? call->result - span->address : most;
  case SIZE_POINTED: return *(const socklen_t *)argument(call, effect->a);
  default: return most;
  }
}

/* What the format of this effect goes with. */
static struct argument_list list_of(const struct effect_call *call, const struct effect *effect) {
  return effect->a ? call->list : format_unnamed(call, effect->argument + 1u);
}

/* ---- what is read ---- */

struct reading {
  const struct effect_call *call;
  span_reader *reader;
  void *context;
  struct spans *spans;
};

static void read_bytes(const struct reading *self, uint64_t address, uint64_t bytes) {
  if (address && bytes) self->reader(self->context, address, bytes);
}

/* A string may be longer when others have run meanwhile. */
static void read_string(const struct reading *self, uint64_t address, uint64_t most, bool wide) {
  uint64_t seen = 0, bytes;
  if (!address) return;
  while ((bytes = wide ? wide_bytes(address, most) : string_bytes(address, most)) > seen) {
    read_bytes(self, address, bytes);
    seen = bytes;
  }
}

static void read_effect(const struct reading *self, const struct effect *effect) {
  const uint64_t address = argument(self->call, effect->argument);
  if (!address) return;
  if (effect->size == SIZE_STRING || effect->size == SIZE_WIDE_STRING)
    read_string(self, address, UINT64_MAX, effect->size == SIZE_WIDE_STRING);
  else
    read_bytes(self, address, bytes_read(self->call, effect, address));
}

static void read_printed(const struct reading *self, const struct effect *effect) {
  const char *format = (const char *)argument(self->call, effect->argument);
  if (!format) return;
  read_string(self, (uint64_t)format, UINT64_MAX, false);
  struct argument_list list = list_of(self->call, effect);
  struct conversion conversion;
  while (format_next_printed(&format, &list, &conversion, &self->spans->incomplete))
    if (conversion.kind == FORMAT_STRING || conversion.kind == FORMAT_WIDE_STRING)
      read_string(self, conversion.pointer, conversion.bytes, conversion.kind == FORMAT_WIDE_STRING);
}

static void read_pieces(const struct reading *self, const struct iovec *pieces, uint64_t count, bool contents) {
  read_bytes(self, (uint64_t)pieces, product(count, sizeof *pieces));
  for (uint64_t i = 0; contents && i < count; i++) read_bytes(self, (uint64_t)pieces[i].iov_base, pieces[i].iov_len);
}

static void read_message(const struct reading *self, const struct msghdr *message, bool contents) {
  if (!message) return;
  read_bytes(self, (uint64_t)message, sizeof *message);
  read_pieces(self, message->msg_iov, message->msg_iovlen, contents);
  if (!contents) return;
  read_bytes(self, (uint64_t)message->msg_name, message->msg_namelen);
  read_bytes(self, (uint64_t)message->msg_control, message->msg_controllen);
}

/* Where the last call of strtok stopped. Put back between runs, as all data of the program is. */
static uint64_t kept;

/* The string that the call continues with, 0 if there is none. */
static uint64_t rest_of_string(const struct effect_call *call, const struct effect *effect) {
  const uint64_t given = argument(call, effect->argument);
  if (effect->deed == EFFECT_CHANGES_KEPT) return given ? given : kept;
  if (!given || (effect->a != NO_ARGUMENT && argument(call, effect->a))) return 0;
  return *(const uint64_t *)given;
}

static void read_rest(const struct reading *self, const struct effect *effect) {
  if (effect->deed == EFFECT_CHANGES_REST && (effect->a == NO_ARGUMENT || !argument(self->call, effect->a)))
    read_bytes(self, argument(self->call, effect->argument), sizeof(char *));
  read_string(self, rest_of_string(self->call, effect), UINT64_MAX, false);
}

static void read_one(const struct reading *self, const struct effect *effect) {
  const uint64_t address = argument(self->call, effect->argument);
  switch (effect->deed) {
  case EFFECT_READS:
  case EFFECT_CHANGES: read_effect(self, effect); break;
  case EFFECT_CHANGES_REST:
  case EFFECT_CHANGES_KEPT: read_rest(self, effect); break;
  case EFFECT_PRINTS: read_printed(self, effect); break;
  case EFFECT_SCANS: read_string(self, address, UINT64_MAX, false); break;
  case EFFECT_PIECES_READ:
  case EFFECT_PIECES_WRITTEN:
    read_pieces(self, (const struct iovec *)address, argument(self->call, (effect->argument + 1u) | IS_INT),
                effect->deed == EFFECT_PIECES_READ);
    break;
  case EFFECT_MESSAGE_READ:
  case EFFECT_MESSAGE_WRITTEN:
    read_message(self, (const struct msghdr *)address, effect->deed == EFFECT_MESSAGE_READ);
    break;
  default: break;
  }
}

static void keep_list(struct effect_call *call, const struct effect *effect) {
  if ((effect->deed != EFFECT_PRINTS && effect->deed != EFFECT_SCANS) || !effect->a) return;
  memcpy(&call->list, (const void *)argument(call, effect->argument + 1u), sizeof call->list);
}

void effect_spans_read(struct effect_call *call, span_reader *reader, void *context, struct spans *spans) {
  const struct reading self = {call, reader, context, spans};
  for (const struct effect *e = call->row->effects; e < call->row->effects + MOST_EFFECTS && e->deed; e++) {
    keep_list(call, e);
    read_one(&self, e);
  }
}

/* ---- what may be written ---- */

struct writing {
  const struct effect_call *call;
  uint64_t (*readable)(uint64_t); /* NULL: it is done, and `spans` are narrowed to what it wrote */
  struct spans *spans;
  const struct effect *effect;
  unsigned at;    /* the next of them */
  uint64_t bytes; /* of the result, for pieces that have not had theirs */
};

static bool is_done(const struct writing *self) {
  return !self->readable;
}

/* The next place: at most `most` bytes before, and `now` after the call. */
static struct span *put(struct writing *self, uint64_t address, uint64_t most, uint64_t now) {
  struct spans *spans = self->spans;
  if (!address || self->at == MOST_SPANS) {
    spans->incomplete |= address != 0;
    return NULL;
  }
  if (is_done(self) && self->at >= spans->count) return NULL;
  struct span *span = &spans->spans[self->at++];
  if (is_done(self)) {
    span->bytes = smaller(span->bytes, now);
    return span;
  }
  *span = (struct span){.address = address, .bytes = smaller(most, self->readable(address)), .effect = self->effect};
  spans->count = self->at;
  return span;
}

/* Afterwards the pointer may point elsewhere. */
static void write_changes(struct writing *self, const struct effect *effect) {
  const struct spans *spans = self->spans;
  if (is_done(self)) {
    if (self->at < spans->count && spans->spans[self->at].effect == effect) self->at++;
    return;
  }
  const bool is_plain = effect->deed == EFFECT_CHANGES;
  const uint64_t address = is_plain ? argument(self->call, effect->argument) : rest_of_string(self->call, effect);
  if (!address) return;
  const uint64_t most = is_plain ? bytes_read(self->call, effect, address) : string_bytes(address, UINT64_MAX);
  struct span *span = put(self, address, most, 0);
  if (span) span->only_changes = true;
}

/* The effect that has the format; NULL: none has. */
static const struct effect *printing(const struct effect_row *row) {
  for (const struct effect *e = row->effects; e < row->effects + MOST_EFFECTS && e->deed; e++)
    if (e->deed == EFFECT_PRINTS) return e;
  return NULL;
}

/* No more bytes than the format can print. */
static uint64_t most_printed(const struct effect_call *call, const struct effect *effect, bool *unknown) {
  const char *format = (const char *)argument(call, effect->argument);
  uint64_t most = strlen(format) + 1;
  struct argument_list list = list_of(call, effect);
  struct conversion conversion;
  while (format_next_printed(&format, &list, &conversion, unknown)) {
    most += conversion.most_printed;
    if (!conversion.pointer) continue;
    if (conversion.kind == FORMAT_STRING) most += string_bytes(conversion.pointer, conversion.bytes);
    if (conversion.kind == FORMAT_WIDE_STRING) most += 4 * wide_bytes(conversion.pointer, conversion.bytes);
  }
  return most;
}

static void narrow_effect(struct writing *self, const struct effect *effect) {
  if (self->at == self->spans->count) return;
  struct span *span = &self->spans->spans[self->at++];
  span->only_changes = effect->condition == POSITIVE_ELSE_CHANGED && !holds(self->call, effect);
  if (!span->only_changes) span->bytes = smaller(span->bytes, written(self->call, effect, span));
}

static void write_effect(struct writing *self, const struct effect *effect) {
  const uint64_t address = argument(self->call, effect->argument);
  if (!address) return;
  if (is_done(self)) {
    narrow_effect(self, effect);
    return;
  }
  uint64_t most = most_written(self->call, effect);
  if (effect->size == SIZE_RESULT_AND_ZERO && printing(self->call->row))
    most = smaller(most, most_printed(self->call, printing(self->call->row), &self->spans->incomplete));
  put(self, address, most, 0);
}

static void write_counts(struct writing *self, const struct effect *effect) {
  const char *format = (const char *)argument(self->call, effect->argument);
  if (!format) return;
  struct argument_list list = list_of(self->call, effect);
  struct conversion conversion;
  while (format_next_printed(&format, &list, &conversion, &self->spans->incomplete))
    if (conversion.kind == FORMAT_COUNT) put(self, conversion.pointer, conversion.bytes, conversion.bytes);
}

static uint64_t scanned_most(const struct conversion *conversion) {
  const uint64_t unit = conversion->kind == FORMAT_WIDE_STRING ? sizeof(wchar_t) : 1;
  if (conversion->kind == FORMAT_VALUE || conversion->kind == FORMAT_COUNT) return conversion->bytes;
  if (conversion->bytes >= MOST_BYTES) return MOST_BYTES;
  return (conversion->bytes + conversion->terminated) * unit;
}

static uint64_t scanned_bytes(const struct conversion *conversion, uint64_t most) {
  if (!conversion->terminated) return most;
  if (conversion->kind == FORMAT_STRING) return string_bytes(conversion->pointer, most);
  return wide_bytes(conversion->pointer, most / sizeof(wchar_t));
}

/* Those that count were assigned up to the result; whether %n was come to is seen from what is there. */
static void write_scanned(struct writing *self, const struct effect *effect) {
  const char *format = (const char *)argument(self->call, effect->argument);
  struct argument_list list = list_of(self->call, effect);
  struct conversion conversion;
  uint64_t assigned = 0;
  while (format_next_scanned(&format, &list, &conversion, &self->spans->incomplete)) {
    if (conversion.kind == FORMAT_OTHER) continue;
    const bool reached = !conversion.counts || assigned < self->bytes;
    const uint64_t most = scanned_most(&conversion);
    assigned += conversion.counts;
    const uint64_t now = is_done(self) && reached ? scanned_bytes(&conversion, most) : 0;
    struct span *span = put(self, conversion.pointer, most, now);
    if (span) span->only_changes = conversion.kind == FORMAT_COUNT;
  }
}

static void write_pieces(struct writing *self, const struct iovec *pieces, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t now = smaller(self->bytes, pieces[i].iov_len);
    if (!pieces[i].iov_len) continue;
    put(self, (uint64_t)pieces[i].iov_base, pieces[i].iov_len, now);
    self->bytes -= now;
  }
}

static void write_message(struct writing *self, const struct msghdr *message) {
  if (!message) return;
  const bool fails = is_done(self) && (int)self->call->result < 0;
  put(self, (uint64_t)message->msg_name, message->msg_namelen, fails ? 0 : message->msg_namelen);
  write_pieces(self, message->msg_iov, message->msg_iovlen);
  put(self, (uint64_t)message->msg_control, message->msg_controllen, fails ? 0 : message->msg_controllen);
  put(self, (uint64_t)message, sizeof *message, fails ? 0 : sizeof *message);
}

static void write_printed_into(struct writing *self, const struct effect *effect) {
  const uint64_t address = argument(self->call, effect->argument);
  const uint64_t most =
      is_done(self) ? 0 : most_printed(self->call, printing(self->call->row), &self->spans->incomplete);
  put(self, address, most, (int)self->call->result < 0 ? 0 : result_bytes(self->call) + 1);
}

static void write_one(struct writing *self, const struct effect *effect) {
  const uint64_t address = argument(self->call, effect->argument);
  switch (effect->deed) {
  case EFFECT_WRITES: write_effect(self, effect); break;
  case EFFECT_CHANGES:
  case EFFECT_CHANGES_REST:
  case EFFECT_CHANGES_KEPT: write_changes(self, effect); break;
  case EFFECT_PRINTS: write_counts(self, effect); break;
  case EFFECT_PRINTS_INTO: write_printed_into(self, effect); break;
  case EFFECT_SCANS: write_scanned(self, effect); break;
  case EFFECT_PIECES_WRITTEN:
    write_pieces(self, (const struct iovec *)address, argument(self->call, (effect->argument + 1u) | IS_INT));
    break;
  case EFFECT_MESSAGE_WRITTEN: write_message(self, (const struct msghdr *)address); break;
  default: break;
  }
}

static void write_all(struct writing *self) {
  const struct effect_row *row = self->call->row;
  for (const struct effect *e = row->effects; e < row->effects + MOST_EFFECTS && e->deed; e++) {
    self->effect = e;
    write_one(self, e);
  }
}

void effect_spans_may_write(const struct effect_call *call, uint64_t (*readable)(uint64_t), struct spans *spans) {
  struct writing self = {.call = call, .readable = readable, .spans = spans, .bytes = UINT64_MAX};
  write_all(&self);
}

/* After the zero byte of the token that was found, unless that ends the whole string. */
static void remember_rest(const struct effect_call *call, const struct span *string) {
  const uint64_t end = call->result ? call->result + strlen((const char *)call->result) : 0;
  kept = end && end < string->address + string->bytes - 1 ? end + 1 : 0;
}

void effect_spans_wrote(const struct effect_call *call, struct spans *spans) {
  struct writing self = {.call = call, .spans = spans, .bytes = result_bytes(call)};
  write_all(&self);
  for (unsigned i = 0; i < spans->count; i++)
    if (spans->spans[i].effect->deed == EFFECT_CHANGES_KEPT) remember_rest(call, &spans->spans[i]);
}
