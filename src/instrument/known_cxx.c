/* SPDX-License-Identifier: MIT
 *
 * Functions of libstdc++, by their mangled names. Most of it is in headers, and so compiled with the program; what is
 * in the library is not followed, unless it is one of these.
 */
#include "instrument/internal.h"

#include <string.h>

static bool starts_with_one_of(const char *name, const char *const *prefixes) {
  for (; *prefixes; prefixes++)
    if (functions_starts_with(name, *prefixes)) return true;
  return false;
}

/* std::__throw_bad_alloc and the like. */
static bool is_throw(const char *name) {
  return functions_starts_with(name, "_ZSt") && strstr(name, "__throw_");
}

bool known_is_plain_cxx(const char *name) {
  static const char *const prefixes[] = {"_Znwm",                   /* operator new */
                                         "_Znam",                   /* operator new[] */
                                         "_ZdlPv",                  /* operator delete */
                                         "_ZdaPv",                  /* operator delete[] */
                                         "__cxa_",                  /* exceptions */
                                         "_ZNSt6chrono3_V2",        /* clocks */
                                         "_ZSt13set_terminate",     /* handlers */
                                         "_ZSt13get_terminate",     /* handlers */
                                         "_ZSt18uncaught_exc",      /* std::uncaught_exceptions */
                                         "_ZSt17current_exception", /* into a variable of the caller */
                                         "_ZSt17rethrow_exception",
                                         "_ZNSt8ios_base4Init", /* the standard streams */
                                         NULL};
  return starts_with_one_of(name, prefixes) || is_throw(name);
}

bool known_is_of_cxx_library(const char *name) {
  static const char *const prefixes[] = {
      "_ZSt",   "_ZNSt",         "_ZNKSt",         "_ZNSo", "_ZNSi",           "_ZNSd",          "_ZNSs",
      "_ZNKSs", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", "_ZNSa", "_ZN10__cxxabiv1", "__dynamic_cast", NULL};
  return starts_with_one_of(name, prefixes);
}

bool known_prints_to_stream(const char *name) {
  static const char *const prefixes[] = {"_ZSt16__ostream_insert", "_ZStlsI", "_ZNSo", NULL};
  return starts_with_one_of(name, prefixes);
}
