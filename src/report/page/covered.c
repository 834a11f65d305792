/* SPDX-License-Identifier: MIT */
#include "report/page/page.h"

#include "report/formats/formats.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SIDES 500

static int compare_points(const void *a, const void *b) {
  const struct coverage_point *x = a, *y = b;
  const int files = strcmp(x->place.file, y->place.file);
  return files ? files : (x->place.line > y->place.line) - (x->place.line < y->place.line);
}

static bool is_taken(const struct summary *summary, uint32_t byte) {
  return byte < summary->coverage_bytes && summary->coverage[byte] != 0;
}

struct file_part {
  const struct coverage_point *points;
  size_t count, taken;
};

static struct file_part part_from(const struct summary *summary, const coverage_points *points, size_t first) {
  struct file_part part = {.points = &points->items[first]};
  while (first + part.count < points->count &&
         strcmp(part.points[part.count].place.file, part.points->place.file) == 0) {
    const uint32_t byte = part.points[part.count++].byte;
    part.taken += is_taken(summary, byte) + is_taken(summary, byte + 1);
  }
  return part;
}

/* Neither side: the line itself was not reached. */
static void append_side(struct text *html, const struct coverage_point *point, bool is_true, bool is_false) {
  text_append_format(html, "<li>line %u", point->place.line);
  if (*point->place.function) {
    text_append(html, " in ");
    xml_append(html, point->place.function);
  }
  text_append(html, is_true && is_false ? ": not reached" : is_true ? ": never true" : ": never false");
  text_append(html, "</li>\n");
}

static void append_missing(struct text *html, const struct summary *summary, const struct file_part *part) {
  size_t shown = 0;
  text_append(html, "<ul>\n");
  for (size_t i = 0; i < part->count && shown < MOST_SIDES; i++) {
    const bool lacks_false = !is_taken(summary, part->points[i].byte);
    const bool lacks_true = !is_taken(summary, part->points[i].byte + 1);
    if (!lacks_false && !lacks_true) continue;
    append_side(html, &part->points[i], lacks_true, lacks_false);
    shown++;
  }
  text_append(html, "</ul>\n");
}

static void append_part(struct text *html, const struct report *report, const struct summary *summary,
                        const struct file_part *part) {
  struct text name = {0};
  paths_append(&name, &report->paths, *part->points->place.file ? part->points->place.file : "without a name");
  text_append(html, "<details><summary><code>");
  xml_append(html, text_string(&name));
  text_append_format(html, "</code> %zu of %zu branches</summary>\n", part->taken, 2 * part->count);
  if (part->taken < 2 * part->count)
    append_missing(html, summary, part);
  else
    text_append(html, "<p>All of them were taken.</p>\n");
  text_append(html, "</details>\n");
  text_free(&name);
}

void covered_append(struct text *html, const struct report *report, const struct summary *summary) {
  coverage_points points = {0};
  for (size_t i = 0; i < report->branches.count; i++) vector_push(&points, report->branches.items[i]);
  if (points.count == 0) return;
  qsort(points.items, points.count, sizeof *points.items, compare_points);
  text_append(
      html,
      "<section><h2>Coverage</h2>\n<p>Directions of conditional branches that some run took, by file. What was not "
      "taken is not reachable with what was explored, or was not come to.</p>\n");
  for (size_t i = 0; i < points.count;) {
    const struct file_part part = part_from(summary, &points, i);
    append_part(html, report, summary, &part);
    i += part.count;
  }
  text_append(html, "</section>\n");
  vector_free(&points);
}
