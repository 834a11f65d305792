/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

bool report_is_sought(const struct summary *summary, const struct finding *finding) {
  return summary->sought >> finding->record->outcome & 1;
}

bool report_seeks_all(const struct summary *summary) {
  for (uint32_t i = 0; i < OUTCOMES; i++)
    if (outcome_is_bug(i) && !(summary->sought >> i & 1)) return false;
  return true;
}

size_t report_bugs(const struct summary *summary) {
  size_t count = 0;
  for (size_t i = 0; i < summary->findings->list.count; i++)
    count += report_is_sought(summary, summary->findings->list.items[i]);
  return count;
}

enum verdict report_verdict(const struct summary *summary) {
  if (report_bugs(summary) > 0) return VERDICT_BUG;
  return summary->complete ? VERDICT_CLEAN : VERDICT_INCOMPLETE;
}

const char *report_verdict_word(const struct summary *summary) {
  static const char *const words[] = {"clean", "bug", "incomplete"};
  return words[report_verdict(summary)];
}

const char *report_bug_directory(const struct report *report, const struct finding *finding) {
  return bundle_place_of(&report->place, finding->number);
}

struct scene report_scene(const struct report *report, const struct finding *finding) {
  return (struct scene){report->program, finding->knowledge, &finding->trace};
}

static int compare_observations(const void *a, const void *b) {
  const struct observation *x = a, *y = b;
  const int order = memcmp(x->text, y->text, x->bytes < y->bytes ? x->bytes : y->bytes);
  if (order != 0) return order;
  return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

void report_observations(const struct summary *summary, observation_list *list) {
  const struct observations *all = summary->observations;
  for (uint32_t i = 0; i < all->n_observed; i++) {
    const struct observed *observed = &all->observed[i];
    if (observed->runs == 0) continue;
    vector_push(list,
                ((struct observation){
                    .runs = observed->runs, .text = all->text + observed->text_offset, .bytes = observed->text_bytes}));
  }
  if (list->count > 0) qsort(list->items, list->count, sizeof *list->items, compare_observations);
}

uint64_t report_z3_queries(const struct summary *summary) {
  const struct solver_statistics *solver = summary->solver;
  for (size_t i = 0; solver && i < solver->n_stages; i++)
    if (strcmp(solver->stages[i].name, "z3") == 0) return solver->stages[i].queries;
  return 0;
}

/* Bytes of coverage that are not of branches are of lines. */
void report_branches(const struct report *report, const struct summary *summary, uint64_t *covered, uint64_t *total) {
  *covered = 0;
  *total = 2 * report->branches.count;
  for (size_t i = 0; i < report->branches.count; i++) {
    const uint32_t byte = report->branches.items[i].byte;
    if (byte + 1 < summary->coverage_bytes)
      *covered += (summary->coverage[byte] != 0) + (summary->coverage[byte + 1] != 0);
  }
}
