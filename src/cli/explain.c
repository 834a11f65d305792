/* SPDX-License-Identifier: MIT
 *
 * heddle explain KIND: what a kind of finding means, how it usually comes about, and how it is usually repaired.
 */
#include "cli/commands.h"
#include "report/kinds.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 96

/* Breaks a paragraph into lines. */
static void print_paragraph(const char *words) {
  size_t column = 0;
  while (*words) {
    const size_t length = strcspn(words, " ");
    if (column > 0 && column + 1 + length > WIDTH) {
      putchar('\n');
      column = 0;
    }
    column += (size_t)printf("%s%.*s", column > 0 ? " " : "", (int)length, words);
    words += length + strspn(words + length, " ");
  }
  putchar('\n');
}

static void print_example(const char *lines) {
  puts("\nFor example:\n");
  while (*lines) {
    const size_t length = strcspn(lines, "\n");
    printf("    %.*s\n", (int)length, lines);
    lines += length + (lines[length] != 0);
  }
}

static void print_kind(const struct kind *kind) {
  static const char *const levels[] = {"a bug", "a warning", "a note on what heddle could not do"};
  printf("%s: %s. %s\n\n", kind->name, levels[kind->level], kind->title);
  print_paragraph(kind->meaning);
  if (*kind->example) print_example(kind->example);
  if (*kind->repair) {
    puts("\nHow it is usually repaired:\n");
    print_paragraph(kind->repair);
  }
  for (const char *at = kind->weaknesses; *at; at += strspn(at, " ")) {
    printf("%sCWE-%.*s", at == kind->weaknesses ? "\nWeaknesses: " : ", ", (int)strcspn(at, " "), at);
    at += strcspn(at, " ");
  }
  if (*kind->weaknesses) putchar('\n');
}

static void print_kinds(FILE *stream) {
  for (size_t i = 0; kind_at(i); i++) fprintf(stream, "  %-20s %s\n", kind_at(i)->name, kind_at(i)->title);
}

int explain_main(int argc, char **argv) {
  if (argc == 1) {
    puts("heddle explain KIND, where KIND is one of");
    print_kinds(stdout);
    return 0;
  }
  const struct kind *kind = argc == 2 ? kind_named(argv[1]) : NULL;
  if (!kind) {
    fprintf(stderr, "heddle: there is no kind of finding called %s: 'heddle explain' lists them\n", argv[1]);
    return 2;
  }
  print_kind(kind);
  return 0;
}
