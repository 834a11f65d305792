/* SPDX-License-Identifier: MIT
 *
 * Tables the instrumenter leaves in the executable for the runtime and the engine.
 *
 * Every inserted hook carries the address of a struct site, which lies in the ELF section HEDDLE_SITES_SECTION.
 * Executables are linked without PIE below 4 GiB, so the low 32 bits of that address are its site_id; 0 is "unknown
 * place". The engine reads the records and the strings they point to from the executable file.
 */
#ifndef HEDDLE_ABI_SITES_H
#define HEDDLE_ABI_SITES_H

#include <stdint.h>

#define HEDDLE_SITES_SECTION "heddle_sites"
/* Two bytes per conditional branch: "false taken", "true taken"; a byte per line. Not restored between runs. */
#define HEDDLE_COVERAGE_SECTION "heddle_coverage"
/* One struct branch per conditional branch, in the order of the coverage bytes. */
#define HEDDLE_BRANCHES_SECTION "heddle_branches"
/* One struct covered_line per line of source with code, with --heddle-line-coverage; their bytes are in
 * HEDDLE_COVERAGE_SECTION as well. */
#define HEDDLE_LINES_SECTION "heddle_lines"
/* Pointers to struct note: what the instrumenter could not follow. */
#define HEDDLE_NOTES_SECTION "heddle_notes"
/* Pointers to the names of functions that instrumented code defines for others to call. */
#define HEDDLE_FUNCTIONS_SECTION "heddle_functions"

/* Pointers to functions of others that do nothing to the program's memory, where their address is taken. */
#define HEDDLE_HARMLESS_SECTION "heddle_harmless"
/* The code of hooks that are called: they leave the stack pointer as it is, unless they go on in the runtime. */
#define HEDDLE_HOOKS_SECTION "heddle_hooks"
/* The eight bytes before every function that is instrumented. */
#define HEDDLE_CODE_MARK 0x656c646465682e2eull

/* Absolute symbols: this module needs no thread-local storage for each thread (src/instrument/storage.c); it is all of
 * the program (src/cli/cc_link.c). */
#define HEDDLE_NO_STORAGE "__heddle_no_storage"
#define HEDDLE_ALONE "__heddle_alone"

typedef uint32_t site_id; /* 0 = unknown */

struct site {
  const char *file;     /* as the compiler names it, directory included */
  const char *function; /* name in the source */
  const char *variable; /* name of what is accessed or called, "" when unknown */
  uint32_t line;        /* 0 = unknown */
  uint32_t column;
};

struct branch {
  const struct site *site;
  uint8_t *covered; /* its two bytes in HEDDLE_COVERAGE_SECTION */
};

struct covered_line {
  const struct site *site;
  uint8_t *covered;
};

enum note_kind {
  NOTE_INLINE_ASSEMBLY = 1 /* what = the first words of the assembly text */
};

struct note {
  const struct site *site;
  const char *what;
  uint64_t kind;
};

#endif
