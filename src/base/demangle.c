/* SPDX-License-Identifier: MIT
 *
 * The C++ library knows how; what it says of a function is cut to its name.
 */
#include "base/demangle.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status); /* of the C++ library */

/* Where the bracket opens that closes at `end`. */
static char *matching(char *start, char *end) {
  int depth = 0;
  for (char *at = end; at >= start; at--) {
    depth += *at == ')';
    depth -= *at == '(';
    if (depth == 0) return at;
  }
  return NULL;
}

static void remove_ending(char *name, const char *ending) {
  const size_t length = strlen(name), ending_length = strlen(ending);
  if (length > ending_length && strcmp(name + length - ending_length, ending) == 0) name[length - ending_length] = 0;
}

/* "f(int) const" -> "f"; the last brackets are the parameters. */
static void remove_parameters(char *name) {
  static const char *const endings[] = {" [clone .cold]", " &", " &&", " const", " volatile"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) remove_ending(name, endings[i]);
  char *end = name + strlen(name) - 1;
  if (end <= name || *end != ')') return;
  char *start = matching(name, end);
  if (start && start > name) *start = 0;
}

/* "void f<int>" -> "f<int>": a space outside of brackets, but not that of "operator new". */
static char *after_result(char *name) {
  char *found = name;
  int depth = 0;
  const char *last = strstr(name, "operator");
  for (char *at = name; *at && at != last; at++) {
    depth += *at == '<' || *at == '(' || *at == '{';
    depth -= *at == '>' || *at == ')' || *at == '}';
    if (*at == ' ' && depth == 0) found = at + 1;
  }
  return found;
}

static bool is_of_variable(const char *name) {
  return strncmp(name, "guard variable for ", 19) == 0 || strncmp(name, "TLS ", 4) == 0 ||
         strncmp(name, "vtable for ", 11) == 0 || strncmp(name, "typeinfo ", 9) == 0;
}

char *demangle(const char *name) {
  int status;
  char *whole = name[0] == '_' && name[1] == 'Z' ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
  if (!whole) return NULL;
  if (is_of_variable(whole)) return whole;
  remove_parameters(whole);
  char *shown = memory_copy_string(after_result(whole));
  free(whole);
  return shown;
}
