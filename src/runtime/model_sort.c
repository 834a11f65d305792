/* SPDX-License-Identifier: MIT
 *
 * qsort and bsearch: the comparison is the program's and is followed, so its results decide here, and moves take terms
 * along. Sorted is in place and stably, as the C library mostly does: halves are sorted and then merged by rotations.
 * While nothing is symbolic the C library sorts.
 */
#include "awaits.h"
#include "followed.h"
#include "sharing.h"
#include "unfollowed.h"

#include <stdlib.h>
#include <string.h>

typedef int comparison(const void *, const void *);

struct array {
  char *base;
  size_t size; /* of an element */
  comparison *compare;
  site_id site;
};

/* ---- comparisons ---- */

/* What the comparison says, and its term. */
static int compared(comparison *compare, const void *a, const void *b, uint32_t *term) {
  __heddle_return.terms[0] = 0;
  const int result = compare(a, b);
  if (controlled) rehearsal_check();
  *term = terms_on() && __heddle_return.from == (const void *)compare ? __heddle_return.terms[0] : 0;
  return result;
}

/* The program's own code is followed; that of others only while nobody else runs. */
static void look_at(comparison *compare, site_id site) {
  if (__heddle_in_run && !sharing_is_alone()) unfollowed_look_at((const void *)compare, site);
}

static void decide_sign(uint32_t term, enum symbolic_comparison comparison, site_id site) {
  if (term) decide_branch(term_is(comparison, term, term_constant(0, 32)), site);
}

static char *element(const struct array *array, size_t index) {
  return array->base + index * array->size;
}

static bool is_less(const struct array *array, size_t a, size_t b) {
  uint32_t term;
  const int result = compared(array->compare, element(array, a), element(array, b), &term);
  decide_sign(term, COMPARE_LESS_SIGNED, array->site);
  return result < 0;
}

/* ---- moves ---- */

#define MOST_AT_ONCE 256

/* Two places that do not overlap. */
static void swap_bytes(char *a, char *b, size_t size) {
  char kept[MOST_AT_ONCE];
  memcpy(kept, a, size);
  term_memory_copy((uint64_t)kept, (uint64_t)a, size);
  memcpy(a, b, size);
  term_memory_copy((uint64_t)a, (uint64_t)b, size);
  memcpy(b, kept, size);
  term_memory_copy((uint64_t)b, (uint64_t)kept, size);
  term_memory_clear((uint64_t)kept, size);
}

static void swap(const struct array *array, size_t a, size_t b) {
  char *left = element(array, a), *right = element(array, b);
  for (size_t at = 0; at < array->size; at += MOST_AT_ONCE)
    swap_bytes(left + at, right + at, array->size - at < MOST_AT_ONCE ? array->size - at : MOST_AT_ONCE);
}

static void reverse(const struct array *array, size_t from, size_t to) {
  while (from + 1 < to) swap(array, from++, --to);
}

/* The elements from .. middle - 1 come after those of middle .. to - 1. */
static void rotate(const struct array *array, size_t from, size_t middle, size_t to) {
  if (from == middle || middle == to) return;
  reverse(array, from, middle);
  reverse(array, middle, to);
  reverse(array, from, to);
}

/* ---- sorting ---- */

/* The first of from .. to - 1 that is not less than element `key`; with `after`, that is greater. */
static size_t bound(const struct array *array, size_t from, size_t to, size_t key, bool after) {
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (after ? !is_less(array, key, middle) : is_less(array, middle, key))
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

/* Both from .. middle - 1 and middle .. to - 1 are sorted. */
static void merge(const struct array *array, size_t from, size_t middle, size_t to) {
  if (from == middle || middle == to) return;
  if (to - from == 2) {
    if (is_less(array, middle, from)) swap(array, from, middle);
    return;
  }
  size_t left, right;
  if (middle - from > to - middle) {
    left = from + (middle - from) / 2;
    right = bound(array, middle, to, left, false);
  } else {
    right = middle + (to - middle) / 2;
    left = bound(array, from, middle, right, true);
  }
  rotate(array, left, middle, right);
  const size_t between = left + (right - middle);
  merge(array, from, left, between);
  merge(array, between, right, to);
}

static void sort(const struct array *array, size_t from, size_t to) {
  if (to - from < 2) return;
  const size_t middle = from + (to - from) / 2;
  sort(array, from, middle);
  sort(array, middle, to);
  merge(array, from, middle, to);
}

static bool something_is_symbolic(void) {
  return terms_on() && (the_log->n_terms || __heddle_terms_in_memory);
}

EXPORTED void __heddle_call_qsort(void *base, size_t count, size_t size, comparison *compare);
void __heddle_call_qsort(void *base, size_t count, size_t size, comparison *compare) {
  struct followed_call call = {.site = (site_id)(uint64_t)__heddle_site};
  if (__heddle_call.callee) call_take_terms((const void *)__heddle_call_qsort, call.terms, 4);
  for (int i = 1; i < 4; i++) decide_pin(call.terms[i], i == 3 ? PIN_JUMP : PIN_SIZE, call.site);
  look_at(compare, call.site);
  followed_reads(&call, 0, base, count * size);
  followed_writes(&call, 0, base, count * size);
  term_memory_copy((uint64_t)base, (uint64_t)base, count * size); /* what is written is what was there */
  if (something_is_symbolic() && size)
    sort(&(struct array){base, size, compare, call.site}, 0, count);
  else
    qsort(base, count, size, compare);
}

/* ---- searching ---- */

/* As the C library does, so that the comparison sees the same elements. */
static void *search(const struct followed_call *call, const void *key, const struct array *array, size_t count) {
  size_t from = 0, to = count;
  while (from < to) {
    uint32_t term;
    const size_t middle = from + (to - from) / 2;
    const int result = compared(array->compare, key, element(array, middle), &term);
    decide_sign(term, COMPARE_EQUAL, call->site);
    if (result == 0) return element(array, middle);
    decide_sign(term, COMPARE_LESS_SIGNED, call->site);
    if (result < 0)
      to = middle;
    else
      from = middle + 1;
  }
  return NULL;
}

EXPORTED void *__heddle_call_bsearch(const void *key, const void *base, size_t count, size_t size, comparison *compare);
void *__heddle_call_bsearch(const void *key, const void *base, size_t count, size_t size, comparison *compare) {
  uint32_t terms[5] = {0};
  struct followed_call call = {.site = (site_id)(uint64_t)__heddle_site};
  if (__heddle_call.callee) call_take_terms((const void *)__heddle_call_bsearch, terms, 5);
  for (int i = 0; i < 5; i++) decide_pin(terms[i], i < 2 ? PIN_MODEL : i == 4 ? PIN_JUMP : PIN_SIZE, call.site);
  look_at(compare, call.site);
  const struct array array = {(char *)base, size, compare, call.site};
  void *found = search(&call, key, &array, count);
  call_return_term((const void *)__heddle_call_bsearch, 0);
  return found;
}
