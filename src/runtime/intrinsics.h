/* SPDX-License-Identifier: MIT
 *
 * Operations that have no operator of their own, made of several terms (intrinsics.c).
 */
#ifndef HEDDLE_RUNTIME_INTRINSICS_H
#define HEDDLE_RUNTIME_INTRINSICS_H

#include "terms.h"

/* All three operands have the width; those that the operation does not have are not looked at. */
uint32_t intrinsic_make(enum symbolic_intrinsic kind, unsigned width, uint32_t a, uint32_t b, uint32_t c);

#endif
