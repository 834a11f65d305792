/* SPDX-License-Identifier: MIT
 *
 * The command line of a compiler, sorted by what must happen with it.
 *
 * Strings belong to the caller's argv or to the arguments themselves (cc_arguments_own).
 */
#ifndef HEDDLE_CLI_CC_ARGUMENTS_H
#define HEDDLE_CLI_CC_ARGUMENTS_H

#include "base/error.h"
#include "base/memory.h"

typedef VECTOR(const char *) string_list;

enum cc_mode {
  CC_PASS,    /* nothing for heddle to do: clang alone (-E, -S, --version, no input, ...) */
  CC_COMPILE, /* -c */
  CC_LINK,    /* sources, objects and libraries to an executable */
};

enum cc_item_kind {
  CC_FLAG,     /* for the linker */
  CC_C,        /* source to instrument, of C or C++ */
  CC_ASSEMBLY, /* source to assemble */
  CC_FILE,     /* object, archive, shared object, linker script */
};

/* What the link sees, in the order of the command line. */
struct cc_item {
  enum cc_item_kind kind;
  const char *text;
  const char *language; /* of a source, from -x; NULL = by its name */
  bool is_cxx;          /* a source of C++ */
  const char *list;     /* of a CC_C: the file for the list of all files that the compiler reads; NULL = none */
};

struct cc_arguments {
  enum cc_mode mode;
  bool cxx;        /* started as `heddle c++`: sources without a language are C++ */
  bool links_cxx;  /* with libstdc++: as `heddle c++`, for a source of C++, or because of -lstdc++ */
  string_list all; /* the command line, response files expanded */
  VECTOR(char *) owned;
  string_list compile_flags; /* what concerns preprocessing, compiling and assembling */
  VECTOR(struct cc_item) items;
  size_t sources;                        /* among the items */
  const char *output;                    /* NULL = not given */
  const char *optimisation;              /* "O0" .. "O3", "Os", "Oz"; NULL = not given */
  bool shared, relocatable;              /* -shared, -r */
  bool makes_dependencies;               /* -MD, -MMD */
  bool names_dependency_file;            /* -MF */
  bool names_target;                     /* -MT, -MQ */
  bool function_sections, data_sections; /* -ffunction-sections, -fdata-sections */
  bool saves_llvm;    /* --heddle-save-llvm: keep the instrumented module as LLVM assembly beside the object */
  bool line_coverage; /* --heddle-line-coverage: count lines, for `heddle run --coverage` */
  bool follow;        /* --heddle-follow: code follows inputs even if the program asks for none */
  bool options_known; /* those that the program will be run with: they bring no inputs unless `follow` is set */
};

bool cc_arguments_parse(struct cc_arguments *arguments, bool cxx, const char *const *words, size_t count,
                        struct error *error);
/* Gives a string to the arguments, which free it; returns it. */
const char *cc_arguments_own(struct cc_arguments *arguments, char *string);
void cc_arguments_free(struct cc_arguments *arguments);

#endif
