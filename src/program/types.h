/* SPDX-License-Identifier: MIT
 *
 * What lies where inside a variable: from the types that DWARF 4 and 5 describe (section .debug_info).
 */
#ifndef HEDDLE_PROGRAM_TYPES_H
#define HEDDLE_PROGRAM_TYPES_H

#include "base/text.h"
#include "program/lines.h"

struct type_sections {
  struct bytes info, abbreviations, strings, line_strings, string_offsets, addresses; /* empty when missing */
};

struct types;

/* How to print a value. */
enum value_kind { VALUE_UNKNOWN, VALUE_SIGNED, VALUE_UNSIGNED, VALUE_FLOAT, VALUE_POINTER };

struct types *types_open(const struct type_sections *sections);
void types_close(struct types *types);
/* Appends what stands `offset` bytes after the start of the static variable at `address`: "[3].mutex". An access of
 * `size` bytes may be of a whole structure; 0 means a synchronisation object. *kind says what is there. False: unknown,
 * nothing is appended. */
bool types_append_part(const struct types *types, struct text *text, uint64_t address, uint64_t offset, uint32_t size,
                       enum value_kind *kind);

#endif
