/* SPDX-License-Identifier: MIT
 *
 * The executable as a source of names: sites, branches, notes (abi/sites.h) and symbols, read from the ELF file. Every
 * pointer in it is a virtual address that is translated and checked; a damaged file gives fewer names, never a crash.
 */
#ifndef HEDDLE_PROGRAM_PROGRAM_H
#define HEDDLE_PROGRAM_PROGRAM_H

#include "abi/sites.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "program/types.h"

#include <stddef.h>

struct program;

/* False: it is not an executable that heddle built. */
bool program_open(struct program **program, const char *path, struct error *error);
void program_close(struct program *program);

/* A place in the source. Strings belong to the program and are never NULL; "" and 0 = unknown. */
struct place {
  const char *file, *function, *variable;
  uint32_t line;
};

struct place program_place(const struct program *program, site_id site);
/* The place of a machine instruction, if it lies in a function of the program's own source. */
struct place program_code_place(const struct program *program, uint64_t address);

/* The variable or function at the address: its name, and how far after its start the address lies. NULL = none. */
const char *program_symbol(const struct program *program, uint64_t address, uint64_t *offset);

/* Appends the name of the variable or function there with the part of it that `size` bytes at the address are:
 * "accounts[3].mutex"; 0 bytes are a synchronisation object, WHOLE_OBJECT is the largest thing that starts there. *kind
 * says what values there are, and may be NULL. False: no types are known, nothing is appended. */
#define WHOLE_OBJECT UINT32_MAX
bool program_append_variable(const struct program *program, struct text *text, uint64_t address, uint32_t size,
                             enum value_kind *kind);

/* A branch (two bytes of coverage, "false taken" and "true taken") or a line (one). */
struct coverage_point {
  struct place place;
  uint32_t byte; /* index of its first byte of coverage */
};
typedef VECTOR(struct coverage_point) coverage_points;
void program_list_branches(const struct program *program, coverage_points *points);
/* None unless the program was built with --heddle-line-coverage. */
void program_list_lines(const struct program *program, coverage_points *points);

uint32_t program_coverage_bytes(const struct program *program);
/* For each byte of coverage whether it is a side of a branch. The caller frees it. */
uint8_t *program_branch_sides(const struct program *program);

/* Whether all code that heddle compiled follows inputs (abi/kept.h). */
bool program_follows_inputs(const struct program *program);

/* Code that heddle runs without following it, each kind and name once: i counts from 0; false after the last. */
struct program_note {
  enum note_kind kind;
  const char *what;
  struct place place;
};
size_t program_notes(const struct program *program);
struct program_note program_note(const struct program *program, size_t i);

#endif
