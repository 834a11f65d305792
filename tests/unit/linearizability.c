/* SPDX-License-Identifier: MIT
 *
 * The search of heddle-test.h for an order of calls agrees with trying all orders, on thousands of random histories of
 * a register and of a queue.
 */
#define main heddle_test_main /* the header's own */
#include "include/heddle-test.h"
#undef main

#include <stdbool.h>

enum { WRITE, READ, PUT, GET, MOST = 7 };

struct model {
  long items[MOST];
  int count;
  long value;
};

static long apply(void *state, int operation, long argument) {
  struct model *model = state;
  long item = 0;
  switch (operation) {
  case WRITE: model->value = argument; return 0;
  case READ: return model->value;
  case PUT: model->items[model->count++] = argument; return 0;
  default:
    if (model->count == 0) return -1;
    item = model->items[0];
    memmove(model->items, model->items + 1, sizeof model->items - sizeof model->items[0]);
    model->items[MOST - 1] = 0;
    model->count--;
    return item;
  }
}

HEDDLE_SPEC(specification, struct model, apply, "write", "read", "put", "get")

/* --- random histories: calls begin and end at random moments; results are mostly those of some order --- */

static unsigned long state = 1;

static unsigned draw(unsigned below) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (unsigned)(state >> 33) % below;
}

struct flat {
  int caller, operation;
  long argument, result;
  int begin, end;
};

static int make(struct heddle_history *history, struct flat *calls) {
  struct model model = {.count = 0};
  const int callers = 1 + (int)draw(3), first_operation = draw(2) ? WRITE : PUT;
  int count = 0, open[3] = {-1, -1, -1}, moment = 0, total = 1 + (int)draw(MOST);
  unsigned ended[3] = {0};
  memset(history, 0, sizeof *history);
  history->callers = callers;
  while (count < total || open[0] >= 0 || open[1] >= 0 || open[2] >= 0) {
    const int caller = (int)draw((unsigned)callers);
    moment++;
    if (open[caller] < 0 && count < total) {
      struct flat *call = &calls[count];
      *call = (struct flat){caller, first_operation + (int)draw(2), 1 + (long)draw(2), 0, moment, 0};
      if (call->operation == READ || call->operation == GET) call->argument = 0;
      struct heddle_call *recorded = &history->calls[caller][history->count[caller]];
      for (int i = 0; i < callers; i++) recorded->after[i] = ended[i];
      open[caller] = count++;
    } else if (open[caller] >= 0) {
      struct flat *call = &calls[open[caller]];
      struct heddle_call *recorded = &history->calls[caller][history->count[caller]++];
      call->end = moment;
      call->result = apply(&model, call->operation, call->argument);
      if (draw(8) == 0) call->result = (long)draw(3);
      recorded->operation = call->operation;
      recorded->argument = call->argument;
      recorded->result = call->result;
      ended[caller]++;
      open[caller] = -1;
    }
  }
  return count;
}

/* --- all orders --- */

static bool some_order(const struct flat *calls, int count, unsigned done, struct model model) {
  if (done == (1u << count) - 1) return true;
  for (int i = 0; i < count; i++) {
    bool can = !(done >> i & 1);
    for (int j = 0; j < count; j++)
      if (!(done >> j & 1) && calls[j].end < calls[i].begin) can = false;
    struct model next = model;
    if (can && apply(&next, calls[i].operation, calls[i].argument) == calls[i].result &&
        some_order(calls, count, done | 1u << i, next))
      return true;
  }
  return false;
}

int main(void) {
  int seen[2] = {0};
  for (int i = 0; i < 20000; i++) {
    struct heddle_history history;
    struct flat calls[MOST];
    const int count = make(&history, calls);
    const bool wanted = some_order(calls, count, 0, (struct model){.count = 0});
    const bool told = heddle_is_linearizable(&history, &specification);
    seen[wanted]++;
    if (wanted != told) {
      printf("history %d: %s\n", i, wanted ? "an order exists, none was found" : "an order was found, none exists");
      heddle_print_history(stdout, &history, &specification);
      return 1;
    }
  }
  printf("%d linearizable, %d not\n", seen[1], seen[0]);
  return seen[0] < 1000 || seen[1] < 1000;
}
