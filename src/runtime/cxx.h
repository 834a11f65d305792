/* SPDX-License-Identifier: MIT
 *
 * libstdc++ in the program: src/cxx/begin.S and end.S stand around it. C programs do not have it.
 */
#ifndef HEDDLE_RUNTIME_CXX_H
#define HEDDLE_RUNTIME_CXX_H

#include <stdbool.h>
#include <stdint.h>

extern char __heddle_cxx_data[] __attribute__((weak)), __heddle_cxx_data_end[] __attribute__((weak));
extern char __heddle_cxx_bss[] __attribute__((weak)), __heddle_cxx_bss_end[] __attribute__((weak));

static inline bool cxx_is_linked(void) {
  return __heddle_cxx_data != 0;
}

/* A variable of its own: the standard streams, for example, and its locks. What it does with them is not the program's,
 * and is over before another thread runs. */
static inline bool cxx_library_has(uint64_t address) {
  return address - (uint64_t)__heddle_cxx_data < (uint64_t)(__heddle_cxx_data_end - __heddle_cxx_data) ||
         address - (uint64_t)__heddle_cxx_bss < (uint64_t)(__heddle_cxx_bss_end - __heddle_cxx_bss);
}

#endif
