/* SPDX-License-Identifier: MIT */
#include "report/concrete.h"

#include "report/describe.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PLACES 5

static const struct pin_reason_row rows[PIN_REASONS] = {
    [PIN_NONE] = {"unknown", "was made concrete"},
#define PIN(name, kind, words) [PIN_##name] = {kind, words},
#include "report/pin_reasons.def"
#undef PIN
};

const struct pin_reason_row *pin_reason_row(enum pin_reason why) {
  return &rows[why < PIN_REASONS ? why : PIN_NONE];
}

static int compare(const void *a, const void *b) {
  const struct concretisation *x = a, *y = b;
  if (x->times != y->times) return x->times > y->times ? -1 : 1;
  if (x->site != y->site) return x->site < y->site ? -1 : 1;
  return x->why < y->why ? -1 : x->why > y->why;
}

/* "x at parse.c:31 became floating point"; at a call the site names the function instead of the value. */
static void append_sentence(struct text *text, const struct program *program, const struct concretisation *item) {
  const struct place place = program_place(program, item->site);
  const bool names_callee = item->why == PIN_CALL;
  text_append(text, *place.variable && !names_callee ? place.variable : "a value");
  text_append(text, " at ");
  describe_place(text, place);
  if (names_callee && *place.variable)
    text_append_format(text, " was passed to %s, which is not followed", place.variable);
  else
    text_append_format(text, " %s", pin_reason_row(item->why)->words);
}

void concrete_print(FILE *stream, const struct program *program, const struct concretisation *items, size_t count) {
  if (count == 0) return;
  struct concretisation *sorted = memory_allocate(count * sizeof *sorted);
  memcpy(sorted, items, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, compare);
  for (size_t i = 0; i < count && i < MOST_PLACES; i++) {
    struct text text = {0};
    append_sentence(&text, program, &sorted[i]);
    fprintf(stream, "note: %s (%llu time%s): its other values are not explored\n", text_string(&text),
            (unsigned long long)sorted[i].times, sorted[i].times == 1 ? "" : "s");
    text_free(&text);
  }
  if (count > MOST_PLACES) fprintf(stream, "note: the same at %zu more places (--json has all)\n", count - MOST_PLACES);
  free(sorted);
}
