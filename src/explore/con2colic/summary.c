/* SPDX-License-Identifier: MIT */
#include "explore/con2colic/con2colic.h"

#include <stdlib.h>

struct con2colic_summary *con2colic_summary_create(void) {
  struct con2colic_summary *summary = memory_allocate(sizeof *summary);
  summary->bug_degree = NO_DEGREE;
  return summary;
}

void con2colic_summary_destroy(struct con2colic_summary *summary) {
  for (size_t i = 0; i < summary->uncovered.count; i++) free((char *)summary->uncovered.items[i].because);
  vector_free(&summary->uncovered);
  vector_free(&summary->covered);
  free(summary);
}
