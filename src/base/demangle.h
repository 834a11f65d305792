/* SPDX-License-Identifier: MIT
 *
 * Names of C++ as people write them.
 */
#ifndef HEDDLE_BASE_DEMANGLE_H
#define HEDDLE_BASE_DEMANGLE_H

/* "_ZN5QueueIiE4pushEi" -> "Queue<int>::push": without parameters and the type of the result. The caller frees it; NULL
 * if the name is not one of C++. */
char *demangle(const char *name);

#endif
