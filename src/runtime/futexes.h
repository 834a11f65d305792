/* SPDX-License-Identifier: MIT
 *
 * futex(2), as syscall() gets it (model_futex.c).
 */
#ifndef HEDDLE_RUNTIME_FUTEXES_H
#define HEDDLE_RUNTIME_FUTEXES_H

#include "runtime.h"

/* The arguments of the system call. `frame`: SPIN_FRAME of the function that the program called. Returns as syscall()
 * does. */
long futex_call(const long arguments[6], site_id site, char *frame);

#endif
