/* SPDX-License-Identifier: MIT
 *
 * cmocka with what it needs, in its order.
 */
#ifndef HEDDLE_TESTS_UNIT_H
#define HEDDLE_TESTS_UNIT_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#endif
