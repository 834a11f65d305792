/* SPDX-License-Identifier: MIT
 *
 * What a program does before main and after exit (constructors.c).
 */
#ifndef HEDDLE_RUNTIME_CONSTRUCTORS_H
#define HEDDLE_RUNTIME_CONSTRUCTORS_H

/* At the beginning of a run, in the order in which the C library would have called them. */
void constructors_call(int argc, char **argv, char **environment);
/* After the exit handlers. */
void destructors_call(void);

#endif
