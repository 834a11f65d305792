/* SPDX-License-Identifier: MIT
 *
 * mem* and str* functions as instrumented code calls them: the bytes they read and write are accesses like any others.
 * A range is one access. What a string function reads is the string up to its zero byte as it is before the access.
 * Where bytes have terms, what they are compared with becomes a decision, byte by byte, and copies take terms along.
 */
#include "followed.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void reads_string(const struct followed_call *call, int number, const char *string) {
  if (__heddle_in_run) followed_reads(call, number, string, strlen(string) + 1);
}

/* Of a string of at most so many, with its zero if it has one. */
static size_t bytes_of(const char *string, size_t most) {
  const size_t length = strnlen(string, most);
  return length < most ? length + 1 : most;
}

static void reads_at_most(const struct followed_call *call, int number, const char *string, size_t most) {
  if (__heddle_in_run) followed_reads(call, number, string, bytes_of(string, most));
}

/* ---- what was read, when others may run before it is used ---- */

#define MOST_KEPT (1u << 20)

static uint32_t steps_so_far(void) {
  return __heddle_in_run ? rt->n_steps : 0;
}

/* How much room keep() needs: what was read is shared if reading it took a step. */
static size_t room_to_keep(uint32_t steps, size_t bytes) {
  return steps_so_far() == steps || bytes > MOST_KEPT ? 1 : bytes + 1;
}

/* The bytes and their terms as they are now, in the room if there is any; otherwise nobody else changes them. */
static const char *keep(char *room, size_t room_bytes, const void *from, size_t bytes) {
  if (room_bytes == 1) return from;
  memcpy(room, from, bytes);
  term_memory_copy((uint64_t)room, (uint64_t)from, bytes);
  return room;
}

/* The room is not used any more. */
static void forget(char *room, size_t room_bytes) {
  if (room_bytes > 1) term_memory_clear((uint64_t)room, room_bytes);
}

static void pin_size(const struct followed_call *call, int number) {
  decide_value(call->terms[number], PIN_SIZE, call->site);
}

static bool has_terms(const void *address, size_t size) {
  return term_memory_has((uint64_t)address, size);
}

/* A character that is passed as an int. */
static struct followed_byte character(const struct followed_call *call, int number, int value) {
  const uint32_t term = call->terms[number];
  return (struct followed_byte){(unsigned char)value, term ? term_resize(term, 8) : 0};
}

/* Its length, at most `most`, which decides where its zero byte is. */
static size_t decide_length(const struct followed_call *call, const char *string, size_t most) {
  const size_t length = strnlen(string, most);
  if (!has_terms(string, length < most ? length + 1 : most)) return length;
  for (size_t i = 0; i < most; i++)
    if (followed_is(followed_byte_at(string + i), 0, call->site)) break;
  return length;
}

/* ---- copies ---- */

static void copy_terms(void *to, const void *from, size_t size) {
  term_memory_copy((uint64_t)to, (uint64_t)from, size);
}

FOLLOWED(void *, memmove, (to, from, n), void *to, const void *from, size_t n) {
  pin_size(call, 2);
  const uint32_t steps = steps_so_far();
  followed_reads(call, 1, from, n);
  char room[room_to_keep(steps, n)];
  from = keep(room, sizeof room, from, n);
  followed_writes(call, 0, to, n);
  memmove(to, from, n);
  copy_terms(to, from, n);
  forget(room, sizeof room);
  return to;
}

FOLLOWED(void *, memcpy, (to, from, n), void *to, const void *from, size_t n) {
  return follow_memmove(call, to, from, n);
}

FOLLOWED(void *, mempcpy, (to, from, n), void *to, const void *from, size_t n) {
  return (char *)follow_memmove(call, to, from, n) + n;
}

void __heddle_term_fill(void *to, uint64_t size, uint32_t term);

FOLLOWED(void *, memset, (to, byte, n), void *to, int byte, size_t n) {
  pin_size(call, 2);
  followed_writes(call, 0, to, n);
  memset(to, byte, n);
  if (call->terms[1]) __heddle_term_fill(to, n, call->terms[1]);
  return to;
}

EXPORTED void __heddle_call_bzero(void *to, size_t n);
void __heddle_call_bzero(void *to, size_t n) {
  struct followed_call call = {.site = (site_id)(uint64_t)__heddle_site};
  call_take_terms((const void *)__heddle_call_bzero, call.terms, 2);
  pin_size(&call, 1);
  followed_writes(&call, 0, to, n);
  memset(to, 0, n);
}

/* The string and its zero byte. */
static size_t copy_string(struct followed_call *call, char *to, const char *s) {
  const size_t length = decide_length(call, s, SIZE_MAX);
  memmove(to, s, length + 1);
  copy_terms(to, s, length + 1);
  return length;
}

FOLLOWED(char *, stpcpy, (to, s), char *to, const char *s) {
  const uint32_t steps = steps_so_far();
  reads_string(call, 1, s);
  const size_t bytes = strlen(s) + 1;
  char room[room_to_keep(steps, bytes)];
  s = keep(room, sizeof room, s, bytes);
  followed_writes(call, 0, to, bytes);
  const size_t length = copy_string(call, to, s);
  forget(room, sizeof room);
  return to + length;
}

FOLLOWED(char *, strcpy, (to, s), char *to, const char *s) {
  follow_stpcpy(call, to, s);
  return to;
}

FOLLOWED(char *, strncpy, (to, s, n), char *to, const char *s, size_t n) {
  pin_size(call, 2);
  const uint32_t steps = steps_so_far();
  reads_at_most(call, 1, s, n);
  const size_t bytes = steps_so_far() == steps ? 0 : bytes_of(s, n);
  char room[room_to_keep(steps, bytes)];
  s = keep(room, sizeof room, s, bytes);
  followed_writes(call, 0, to, n);
  const size_t length = decide_length(call, s, n);
  strncpy(to, s, n);
  copy_terms(to, s, length);
  forget(room, sizeof room);
  return to;
}

FOLLOWED(char *, strcat, (to, s), char *to, const char *s) {
  const uint32_t steps = steps_so_far();
  reads_string(call, 1, s);
  const size_t bytes = strlen(s) + 1;
  char room[room_to_keep(steps, bytes)];
  s = keep(room, sizeof room, s, bytes);
  reads_string(call, 0, to);
  char *end = to + decide_length(call, to, SIZE_MAX);
  followed_writes(call, 0, end, bytes);
  copy_string(call, end, s);
  forget(room, sizeof room);
  return to;
}

FOLLOWED(char *, strncat, (to, s, n), char *to, const char *s, size_t n) {
  pin_size(call, 2);
  const uint32_t steps = steps_so_far();
  reads_at_most(call, 1, s, n);
  const size_t bytes = bytes_of(s, n);
  char room[room_to_keep(steps, bytes)];
  s = keep(room, sizeof room, s, bytes);
  reads_string(call, 0, to);
  char *end = to + decide_length(call, to, SIZE_MAX);
  followed_writes(call, 0, end, strnlen(s, n) + 1);
  const size_t length = decide_length(call, s, n);
  memmove(end, s, length);
  end[length] = 0;
  copy_terms(end, s, length);
  forget(room, sizeof room);
  return to;
}

/* The copy is written by the C library. */
static char *written(const struct followed_call *call, char *copy, const char *from, size_t length) {
  if (!copy) return NULL;
  struct followed_call own = {.site = call->site};
  followed_writes(&own, 0, copy, length + 1);
  copy_terms(copy, from, length);
  return copy;
}

FOLLOWED(char *, strdup, (s), const char *s) {
  reads_string(call, 0, s);
  const size_t length = decide_length(call, s, SIZE_MAX);
  return written(call, strdup(s), s, length);
}

FOLLOWED(char *, strndup, (s, n), const char *s, size_t n) {
  pin_size(call, 1);
  reads_at_most(call, 0, s, n);
  const size_t length = decide_length(call, s, n);
  return written(call, strndup(s, n), s, length);
}

/* ---- comparisons ---- */

/* The difference of two bytes as an int: its sign is what a comparison says. */
static int difference(struct followed_call *call, struct followed_byte a, struct followed_byte b) {
  if (a.term | b.term)
    call->result = term_make(TERM_SUBTRACT, 32, 0, term_extend(TERM_ZERO_EXTEND, followed_term(a), 32),
                             term_extend(TERM_ZERO_EXTEND, followed_term(b), 32), 0);
  return a.value - b.value;
}

static int compare_memory(struct followed_call *call, const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const struct followed_byte left = followed_byte_at(a + i), right = followed_byte_at(b + i);
    if (!followed_equal(left, right, call->site)) return difference(call, left, right);
  }
  return 0;
}

FOLLOWED(int, memcmp, (a, b, n), const void *a, const void *b, size_t n) {
  pin_size(call, 2);
  const uint32_t steps = steps_so_far();
  followed_reads(call, 0, a, n);
  char room[room_to_keep(steps, n)];
  a = keep(room, sizeof room, a, n);
  followed_reads(call, 1, b, n);
  const int result = has_terms(a, n) || has_terms(b, n) ? compare_memory(call, a, b, n) : memcmp(a, b, n);
  forget(room, sizeof room);
  return result;
}

FOLLOWED(int, bcmp, (a, b, n), const void *a, const void *b, size_t n) {
  return follow_memcmp(call, a, b, n);
}

/* A small letter instead of a capital one. */
static struct followed_byte lower(struct followed_byte byte) {
  const bool capital = byte.value >= 'A' && byte.value <= 'Z';
  struct followed_byte result = {(unsigned char)(capital ? byte.value + 32 : byte.value), 0};
  if (!byte.term) return result;
  const uint32_t offset = term_make(TERM_SUBTRACT, 8, 0, byte.term, term_constant('A', 8), 0);
  const uint32_t is_capital = term_is(COMPARE_LESS_EQUAL, offset, term_constant('Z' - 'A', 8));
  const uint32_t lowered = term_make(TERM_ADD, 8, 0, byte.term, term_constant(32, 8), 0);
  result.term = term_make(TERM_IF, 8, 0, is_capital, lowered, byte.term);
  return result;
}

static struct followed_byte as_it_is(struct followed_byte byte) {
  return byte;
}

static int compare_strings(struct followed_call *call, const char *a, const char *b, size_t n,
                           struct followed_byte (*folded)(struct followed_byte)) {
  for (size_t i = 0; i < n; i++) {
    const struct followed_byte left = folded(followed_byte_at(a + i)), right = folded(followed_byte_at(b + i));
    if (!followed_equal(left, right, call->site)) return difference(call, left, right);
    if (followed_is(left.term ? left : right, 0, call->site)) return 0;
  }
  return 0;
}

/* Whether either string has terms as far as it is read. */
static bool strings_have_terms(const char *a, const char *b, size_t n) {
  if (!__heddle_terms_in_memory) return false;
  const size_t a_bytes = strnlen(a, n), b_bytes = strnlen(b, n);
  return has_terms(a, a_bytes < n ? a_bytes + 1 : n) || has_terms(b, b_bytes < n ? b_bytes + 1 : n);
}

typedef int comparison(const char *a, const char *b, size_t n);

/* The first string is compared as it was when it was read. */
static int follow_comparison(struct followed_call *call, const char *a, const char *b, size_t n, comparison *compare,
                             struct followed_byte (*folded)(struct followed_byte)) {
  const uint32_t steps = steps_so_far();
  reads_at_most(call, 0, a, n);
  const size_t bytes = steps_so_far() == steps ? 0 : bytes_of(a, n);
  char room[room_to_keep(steps, bytes)];
  a = keep(room, sizeof room, a, bytes);
  reads_at_most(call, 1, b, n);
  const int result = strings_have_terms(a, b, n) ? compare_strings(call, a, b, n, folded) : compare(a, b, n);
  forget(room, sizeof room);
  return result;
}

FOLLOWED(int, strcmp, (a, b), const char *a, const char *b) {
  return follow_comparison(call, a, b, SIZE_MAX, strncmp, as_it_is);
}

FOLLOWED(int, strncmp, (a, b, n), const char *a, const char *b, size_t n) {
  pin_size(call, 2);
  return follow_comparison(call, a, b, n, strncmp, as_it_is);
}

FOLLOWED(int, strcasecmp, (a, b), const char *a, const char *b) {
  return follow_comparison(call, a, b, SIZE_MAX, strncasecmp, lower);
}

FOLLOWED(int, strncasecmp, (a, b, n), const char *a, const char *b, size_t n) {
  pin_size(call, 2);
  return follow_comparison(call, a, b, n, strncasecmp, lower);
}

/* ---- searches ---- */

FOLLOWED(size_t, strlen, (s), const char *s) {
  reads_string(call, 0, s);
  return decide_length(call, s, SIZE_MAX);
}

FOLLOWED(size_t, strnlen, (s, n), const char *s, size_t n) {
  pin_size(call, 1);
  reads_at_most(call, 0, s, n);
  return decide_length(call, s, n);
}

FOLLOWED(void *, memchr, (memory, byte, n), const void *memory, int byte, size_t n) {
  const struct followed_byte wanted = character(call, 1, byte);
  pin_size(call, 2);
  followed_reads(call, 0, memory, n);
  if (!wanted.term && !has_terms(memory, n)) return memchr(memory, byte, n);
  for (size_t i = 0; i < n; i++)
    if (followed_equal(followed_byte_at((const char *)memory + i), wanted, call->site)) return (char *)memory + i;
  return NULL;
}

/* The first place of the byte in the string, or the last. */
static char *find(struct followed_call *call, const char *s, struct followed_byte wanted, bool last) {
  char *found = NULL;
  for (;; s++) {
    const struct followed_byte byte = followed_byte_at(s);
    if (followed_equal(byte, wanted, call->site)) found = (char *)s;
    if ((found && !last) || followed_is(byte, 0, call->site)) return found;
  }
}

FOLLOWED(char *, strchr, (s, byte), const char *s, int byte) {
  const struct followed_byte wanted = character(call, 1, byte);
  reads_string(call, 0, s);
  return wanted.term || strings_have_terms(s, "", SIZE_MAX) ? find(call, s, wanted, false) : strchr(s, byte);
}

FOLLOWED(char *, strrchr, (s, byte), const char *s, int byte) {
  const struct followed_byte wanted = character(call, 1, byte);
  reads_string(call, 0, s);
  return wanted.term || strings_have_terms(s, "", SIZE_MAX) ? find(call, s, wanted, true) : strrchr(s, byte);
}

static bool starts_with(const struct followed_call *call, const char *s, const char *part, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (!followed_equal(followed_byte_at(s + i), followed_byte_at(part + i), call->site)) return false;
  return true;
}

FOLLOWED(char *, strstr, (s, part), const char *s, const char *part) {
  reads_string(call, 0, s);
  reads_string(call, 1, part);
  if (!strings_have_terms(s, part, SIZE_MAX)) return strstr(s, part);
  const size_t length = decide_length(call, part, SIZE_MAX);
  for (;; s++) {
    if (starts_with(call, s, part, length)) return (char *)s;
    if (followed_is(followed_byte_at(s), 0, call->site)) return NULL;
  }
}

/* ---- spans ---- */

/* Whether the byte is one of the set: one decision. */
static bool is_among(const struct followed_call *call, struct followed_byte byte, const char *set) {
  uint32_t any = 0;
  bool found = false;
  for (; *set; set++) {
    const struct followed_byte member = followed_byte_at(set);
    found |= byte.value == member.value;
    if (!(byte.term | member.term)) {
      if (byte.value == member.value) return true;
      continue;
    }
    const uint32_t equal = term_is(COMPARE_EQUAL, followed_term(byte), followed_term(member));
    any = any ? term_make(TERM_OR, 1, 0, any, equal, 0) : equal;
  }
  decide_branch(any, call->site);
  return found;
}

/* How many bytes at the start of the string are in the set, or are not. */
static size_t span(const struct followed_call *call, const char *s, const char *set, bool in) {
  decide_length(call, set, SIZE_MAX);
  for (size_t i = 0;; i++) {
    const struct followed_byte byte = followed_byte_at(s + i);
    if (followed_is(byte, 0, call->site) || is_among(call, byte, set) != in) return i;
  }
}

FOLLOWED(size_t, strspn, (s, set), const char *s, const char *set) {
  reads_string(call, 0, s);
  reads_string(call, 1, set);
  return strings_have_terms(s, set, SIZE_MAX) ? span(call, s, set, true) : strspn(s, set);
}

FOLLOWED(size_t, strcspn, (s, set), const char *s, const char *set) {
  reads_string(call, 0, s);
  reads_string(call, 1, set);
  return strings_have_terms(s, set, SIZE_MAX) ? span(call, s, set, false) : strcspn(s, set);
}

FOLLOWED(char *, strpbrk, (s, set), const char *s, const char *set) {
  const size_t length = follow_strcspn(call, s, set);
  return s[length] ? (char *)s + length : NULL;
}
