/* SPDX-License-Identifier: MIT
 *
 * --find: which kinds of findings are looked for.
 */
#ifndef HEDDLE_CLI_FIND_H
#define HEDDLE_CLI_FIND_H

#include "cli/options.h"
#include "explore/loop/explore.h"

/* Sets what is sought, what ends the search, and the treatment of data races that follows from it. False: a name that
 * is no kind, or options that contradict each other. */
bool find_choose(const struct options *options, struct explore_settings *settings, struct error *error);

#endif
