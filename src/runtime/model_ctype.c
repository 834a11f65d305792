/* SPDX-License-Identifier: MIT
 *
 * <ctype.h>. The result for a character with a term is a term over the ranges of characters for which the C library
 * gives the same: no decision is made here. `heddle cc` compiles with __NO_CTYPE, so that the functions are called and
 * no table is looked at.
 */
#define __NO_CTYPE /* the functions, not their inline variants */
#include "followed.h"

#include <ctype.h>

#define FIRST (-128) /* what these functions may be called with: as char, unsigned char and EOF */
#define LAST 255

/* The character, an int, is one of first .. last. */
static uint32_t is_between(uint32_t character, int first, int last) {
  const uint32_t offset = term_make(TERM_SUBTRACT, 32, 0, character, term_constant((bits)(uint32_t)first, 32), 0);
  return term_is(COMPARE_LESS_EQUAL, offset, term_constant((bits)(last - first), 32));
}

/* What the function adds to a character, or with `adds` not set, what it gives for it. */
static int result_of(int (*function)(int), int character, bool adds) {
  return adds ? function(character) - character : function(character);
}

static uint32_t term_of_result(uint32_t character, int result, bool adds) {
  const uint32_t constant = term_constant((bits)(uint32_t)result, 32);
  return adds ? term_make(TERM_ADD, 32, 0, character, constant, 0) : constant;
}

static uint32_t follow(uint32_t character, int (*function)(int), bool adds) {
  uint32_t term = term_of_result(character, 0, adds);
  for (int first = FIRST, next; first <= LAST; first = next) {
    const int result = result_of(function, first, adds);
    for (next = first + 1; next <= LAST && result_of(function, next, adds) == result;) next++;
    if (result == 0) continue;
    const uint32_t here = is_between(character, first, next - 1);
    term = term_make(TERM_IF, 32, 0, here, term_of_result(character, result, adds), term);
  }
  return term;
}

#define CHARACTER_FUNCTION(name, adds)                                                                                 \
  FOLLOWED(int, name, (character), int character) {                                                                    \
    const int value = name(character);                                                                                 \
    if (call->terms[0]) call->result = follow(call->terms[0], name, adds);                                             \
    if (call->result && !term_has_value(call->result, (uint32_t)value, call->site)) call->result = 0;                  \
    return value;                                                                                                      \
  }

CHARACTER_FUNCTION(isalnum, false)
CHARACTER_FUNCTION(isalpha, false)
CHARACTER_FUNCTION(isblank, false)
CHARACTER_FUNCTION(iscntrl, false)
CHARACTER_FUNCTION(isdigit, false)
CHARACTER_FUNCTION(isgraph, false)
CHARACTER_FUNCTION(islower, false)
CHARACTER_FUNCTION(isprint, false)
CHARACTER_FUNCTION(ispunct, false)
CHARACTER_FUNCTION(isspace, false)
CHARACTER_FUNCTION(isupper, false)
CHARACTER_FUNCTION(isxdigit, false)
CHARACTER_FUNCTION(tolower, true)
CHARACTER_FUNCTION(toupper, true)
