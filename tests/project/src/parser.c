/* SPDX-License-Identifier: MIT
 *
 * The second word of a line is its severity, in letters of either case. The word is copied into a buffer of the thread.
 */
#include "parser.h"
#include "config.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#ifndef HAVE_STRCASECMP
#error "strcasecmp is needed"
#endif

static const char *const names[N_SEVERITIES] = {"info", "warning", "error", "other"};
static THREAD_LOCAL char word[16];

const char *severity_name(enum severity severity) {
  return names[severity];
}

static const char *second_word(const char *line) {
  const char *begin = strchr(line, ' ');
  size_t length = 0;
  if (begin)
    for (begin++; begin[length] && !isspace((unsigned char)begin[length]) && length + 1 < sizeof word; length++)
      word[length] = begin[length];
  word[length] = '\0';
  return word;
}

enum severity parser_severity(const char *line) {
  const char *name = second_word(line);
  for (int i = 0; i < OTHER; i++)
    if (strcasecmp(name, names[i]) == 0) return (enum severity)i;
  return OTHER;
}
