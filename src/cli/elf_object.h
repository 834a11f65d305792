/* SPDX-License-Identifier: MIT
 *
 * What the link must know of an ELF file: its sections by name, and its global symbols. Every offset is checked: a
 * damaged file has no sections.
 */
#ifndef HEDDLE_CLI_ELF_OBJECT_H
#define HEDDLE_CLI_ELF_OBJECT_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_object {
  const char *bytes; /* the whole file; the caller's */
  size_t size_bytes;
};

struct elf_bytes {
  const char *bytes; /* NULL: there is no such section */
  size_t count;
};

/* Whether it is a relocatable object of this machine. */
bool elf_object_is_relocatable(struct elf_object object);
struct elf_bytes elf_object_section(struct elf_object object, const char *name);
/* Every global symbol, defined or not. */
typedef void use_symbol(void *data, const Elf64_Sym *symbol, const char *name);
void elf_object_each_symbol(struct elf_object object, use_symbol *use, void *data);
/* The same for each order of the symbols: their names, and whether they are defined, weak and hidden. */
uint64_t elf_object_sum_symbols(struct elf_object object);

#endif
