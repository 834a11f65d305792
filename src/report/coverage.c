/* SPDX-License-Identifier: MIT
 *
 * What the runs covered as a tracefile of lcov, for genhtml and others: per source file its functions, branches and
 * lines, in the order of lines. heddle knows whether something was reached, not how often: counts are 0 or 1.
 *
 *     SF:file
 *     FN:line,function    FNDA:count,function
 *     BRDA:line,block,branch,count      block: which branch of the line; branch 0 is "false", 1 "true"; - not reached
 *     DA:line,count
 */
#include "report/report.h"

#include "base/files.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(uint32_t a, uint32_t b) {
  return a < b ? -1 : a > b;
}

/* By file and line; then as the program lists them. */
static int compare_points(const void *a, const void *b) {
  const struct coverage_point *x = a, *y = b;
  const int files = strcmp(x->place.file, y->place.file);
  if (files != 0) return files;
  const int lines = compare_numbers(x->place.line, y->place.line);
  return lines != 0 ? lines : compare_numbers(x->byte, y->byte);
}

/* Those of one file: points from `first` up to before `end`. */
struct part {
  const struct coverage_point *first, *end;
};

static struct part part_of(const coverage_points *points, const char *file) {
  const struct coverage_point *first = points->items, *all = points->items + points->count;
  while (first < all && strcmp(first->place.file, file) != 0) first++;
  const struct coverage_point *end = first;
  while (end < all && strcmp(end->place.file, file) == 0) end++;
  return (struct part){first, end};
}

static bool is_covered(const struct summary *summary, uint32_t byte) {
  return byte < summary->coverage_bytes && summary->coverage[byte] != 0;
}

/* --- functions: one is reached when one of its lines is --- */

struct function {
  const char *name;
  uint32_t line; /* the first one with code */
  bool reached;
};

static int compare_names(const void *a, const void *b) {
  const struct function *x = a, *y = b;
  const int names = strcmp(x->name, y->name);
  return names != 0 ? names : compare_numbers(x->line, y->line);
}

static int compare_lines(const void *a, const void *b) {
  const struct function *x = a, *y = b;
  const int lines = compare_numbers(x->line, y->line);
  return lines != 0 ? lines : strcmp(x->name, y->name);
}

/* Every line is first taken for a function of its own; then those with one name become one. Returns how many. */
static size_t find_functions(struct function *functions, const struct part *part, const struct summary *summary) {
  size_t lines = 0, count = 0;
  for (const struct coverage_point *p = part->first; p < part->end; p++)
    if (*p->place.function)
      functions[lines++] = (struct function){p->place.function, p->place.line, is_covered(summary, p->byte)};
  qsort(functions, lines, sizeof *functions, compare_names);
  for (size_t i = 0; i < lines; i++) {
    if (count > 0 && strcmp(functions[count - 1].name, functions[i].name) == 0)
      functions[count - 1].reached |= functions[i].reached;
    else
      functions[count++] = functions[i];
  }
  qsort(functions, count, sizeof *functions, compare_lines);
  return count;
}

static void append_functions(struct text *text, const struct part *part, const struct summary *summary) {
  struct function *functions = memory_allocate((size_t)(part->end - part->first + 1) * sizeof *functions);
  const size_t count = find_functions(functions, part, summary);
  size_t reached = 0;
  for (size_t i = 0; i < count; i++) text_append_format(text, "FN:%u,%s\n", functions[i].line, functions[i].name);
  for (size_t i = 0; i < count; i++) {
    text_append_format(text, "FNDA:%d,%s\n", functions[i].reached, functions[i].name);
    reached += functions[i].reached;
  }
  text_append_format(text, "FNF:%zu\nFNH:%zu\n", count, reached);
  free(functions);
}

/* --- branches and lines --- */

static void append_branches(struct text *text, const struct part *part, const struct summary *summary) {
  unsigned found = 0, hit = 0, block = 0;
  for (const struct coverage_point *p = part->first; p < part->end; p++) {
    if (p->place.line == 0) continue;
    block = p > part->first && p[-1].place.line == p->place.line ? block + 1 : 0;
    const bool sides[] = {is_covered(summary, p->byte), is_covered(summary, p->byte + 1)};
    for (unsigned side = 0; side < 2; side++) {
      const char *count = sides[side] ? "1" : sides[!side] ? "0" : "-";
      text_append_format(text, "BRDA:%u,%u,%u,%s\n", p->place.line, block, side, count);
      hit += sides[side];
    }
    found += 2;
  }
  text_append_format(text, "BRF:%u\nBRH:%u\n", found, hit);
}

static void append_lines(struct text *text, const struct part *part, const struct summary *summary) {
  unsigned found = 0, hit = 0;
  for (const struct coverage_point *p = part->first; p < part->end;) {
    const uint32_t line = p->place.line;
    bool covered = false;
    for (; p < part->end && p->place.line == line; p++) covered |= is_covered(summary, p->byte);
    if (line == 0) continue;
    text_append_format(text, "DA:%u,%d\n", line, covered);
    found++;
    hit += covered;
  }
  text_append_format(text, "LF:%u\nLH:%u\n", found, hit);
}

/* --- files --- */

/* genhtml looks for sources from where it is started: absolute names are found from everywhere. */
static void append_file_name(struct text *text, const char *file) {
  char *absolute = realpath(file, NULL);
  text_append_format(text, "TN:\nSF:%s\n", absolute ? absolute : file);
  free(absolute);
}

static void append_file(struct text *text, const char *file, const coverage_points *branches,
                        const coverage_points *lines, const struct summary *summary) {
  const struct part branch_part = part_of(branches, file), line_part = part_of(lines, file);
  append_file_name(text, file);
  append_functions(text, &line_part, summary);
  append_branches(text, &branch_part, summary);
  append_lines(text, &line_part, summary);
  text_append(text, "end_of_record\n");
}

/* The next file behind `file` in the order of names; NULL behind the last. */
static const char *next_file(const coverage_points *points, const char *file) {
  for (size_t i = 0; i < points->count; i++)
    if (strcmp(points->items[i].place.file, file) > 0) return points->items[i].place.file;
  return NULL;
}

static const char *first_of(const char *a, const char *b) {
  if (!a || !b) return a ? a : b;
  return strcmp(a, b) < 0 ? a : b;
}

static void sort(coverage_points *points) {
  if (points->count > 0) qsort(points->items, points->count, sizeof *points->items, compare_points);
}

static void end(void *self, const struct summary *summary) {
  struct report *report = self;
  if (!report->coverage) return;
  coverage_points branches = {0}, lines = {0};
  struct text text = {0};
  program_list_branches(report->program, &branches);
  program_list_lines(report->program, &lines);
  sort(&branches);
  sort(&lines);
  const char *file = "";
  while ((file = first_of(next_file(&branches, file), next_file(&lines, file))))
    append_file(&text, file, &branches, &lines, summary);
  if (!files_write(report->coverage, text_string(&text), text.length, &report->error)) report->failed = true;
  if (lines.count == 0 && branches.count > 0)
    fprintf(report->stream, "note: %s lists no lines: build the program with 'heddle cc --heddle-line-coverage'\n",
            report->coverage);
  vector_free(&branches);
  vector_free(&lines);
  text_free(&text);
}

struct observer coverage_observer(struct report *report) {
  return (struct observer){.self = report, .end = end};
}
