/* SPDX-License-Identifier: MIT
 *
 * From a code address to its source line: the line table of DWARF 2 to 5 (section .debug_line).
 */
#ifndef HEDDLE_PROGRAM_LINES_H
#define HEDDLE_PROGRAM_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
  const uint8_t *start;
  size_t count;
};

struct debug_sections {
  struct bytes line, line_strings, strings; /* .debug_line, .debug_line_str, .debug_str; empty when missing */
};

/* `file` is the name without its directory and belongs to the sections. False: no table covers the address. */
bool lines_find(const struct debug_sections *sections, uint64_t address, const char **file, uint32_t *line);

#endif
