/* SPDX-License-Identifier: MIT
 *
 * Generational search over inputs, for strategies that sample: every path that a run took asks for the other side of
 * each of its decisions, once per prefix of decisions in the whole exploration. Which one comes next is drawn, so that
 * none waits forever. (Godefroid, Levin, Molnar: Automated Whitebox Fuzz Testing, NDSS 2008; without its scores.)
 */
#ifndef HEDDLE_EXPLORE_INPUTS_GENERATIONS_H
#define HEDDLE_EXPLORE_INPUTS_GENERATIONS_H

#include "explore/inputs/inputs.h"

struct generations;

/* `inputs` must live longer. */
struct generations *generations_create(struct inputs *inputs, uint64_t seed);
void generations_destroy(struct generations *generations);
void generations_add(struct generations *generations, const struct path *path);
/* Inputs that take a side no run was asked to take, held for the caller. False: there are none now. */
bool generations_next(struct generations *generations, struct values **values);
/* The same for the last decision of the path that was added last: where an assumption ended the run, one that satisfies
 * it. False: there are none, or somebody was asked to take that side before. */
bool generations_go_on(struct generations *generations, struct values **values);

#endif
