/* SPDX-License-Identifier: MIT
 *
 * Bitcode in, instrumented object out.
 *
 * The bitcode is what clang makes before it optimises. Locals whose address stays inside their function leave memory
 * first (sroa); then every access to memory that another thread may see, every call that leaves instrumented code and
 * every branch gets its hook (abi/hooks.def), with tables that say where each stands (abi/sites.h); only then is the
 * module optimised, with the hooks' fast half inlined where that pays.
 */
#ifndef HEDDLE_INSTRUMENT_INSTRUMENT_H
#define HEDDLE_INSTRUMENT_INSTRUMENT_H

#include "base/error.h"

struct instrument_options {
  const char *source;     /* as messages name it */
  const char *bitcode;    /* in */
  const char *hooks;      /* in: heddle-hooks.bc */
  const char *object;     /* out */
  const char *assembly;   /* out: the instrumented module as LLVM assembly, before optimisation; NULL = not wanted */
  bool function_sections; /* as -ffunction-sections and -fdata-sections: for --gc-sections */
  bool data_sections;
  bool follow;              /* inputs, even if the module asks for none */
  bool variables;           /* debug information says where local variables are: -g */
  bool line_coverage;       /* a byte for every line, set when it is reached */
  const char *optimisation; /* "O0", "O1", "O2", "O3", "Os" or "Oz" */
};

bool instrument_module(const struct instrument_options *options, struct error *error);

#endif
