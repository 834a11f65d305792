/* SPDX-License-Identifier: MIT
 *
 * The options that a strategy takes. Their rows stand in the strategy's room (options.def there, in the columns of
 * cli/options.def); who parses them offers the values by name, and the strategy puts them into settings of its own.
 */
#ifndef HEDDLE_EXPLORE_STRATEGY_OPTIONS_H
#define HEDDLE_EXPLORE_STRATEGY_OPTIONS_H

#include "abi/channel.h"
#include "base/error.h"

#include <stdint.h>

struct option_value {
  bool given;       /* by the user; otherwise it has its default */
  const char *text; /* as written; NULL without a default */
  uint64_t number;  /* of a NUMBER; the first of a PAIR */
  uint64_t second;  /* of a PAIR */
  double seconds;   /* of SECONDS */
};

/* Where values come from. `find` knows every name that a row has. */
struct option_source {
  const void *self;
  const struct option_value *(*find)(const void *self, const char *name);
};

const struct option_value *option_find(const struct option_source *source, const char *name);
/* The number given, `otherwise` if none is. */
uint64_t option_number(const struct option_source *source, const char *name, uint64_t otherwise);
/* Which of the names the option has, from 0; the list ends with NULL. */
bool option_choose(const struct option_source *source, const char *name, const char *const *names, int *choice,
                   struct error *error);
/* "--name cannot be ...", for what begins at `text`. */
bool option_refuse(const char *name, const char *text, size_t length, struct error *error);

/* --order, for the strategies that take nothing else. */
struct order_settings {
  bool takes_first; /* after its prefix a run stays with a thread while it can, instead of drawing */
};
extern const char *const order_options[];
/* Of those whose runs may be restricted to threads that are the same going in the order of their ids. */
extern const char *const symmetry_options[];
bool order_configure(void *own, const struct option_source *source, struct error *error);
/* NULL: as without the option. */
enum policy order_policy(const struct order_settings *own);

/* --max-preemptions, for the strategies that take nothing else. */
struct bound_settings {
  uint64_t max_preemptions; /* UINT64_MAX: no bound */
};
bool bound_configure(void *own, const struct option_source *source, struct error *error);
/* NULL: as without the option. */
uint64_t bound_of(const struct bound_settings *own);

#endif
