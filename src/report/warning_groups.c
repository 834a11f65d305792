/* SPDX-License-Identifier: MIT */
#include "report/warning_groups.h"

#include <stdlib.h>
#include <string.h>

#define MOST_GROUPS 10

struct group {
  struct text head; /* what its warnings have in common */
  size_t first;     /* of the list: the one that is shown */
  size_t count;
  int rank;
};
typedef VECTOR(struct group) group_list;

static bool frees(const struct warning *warning) {
  return warning->event == EVENT_FREE || warning->other_event == EVENT_FREE;
}

/* The most telling first: what may end in a crash or a deadlock, then what keeps the result from being complete. */
static int rank_of(const struct warning *warning) {
  switch (warning->kind) {
  case WARNING_DATA_RACE: return frees(warning) ? 0 : 3;
  case WARNING_LOCK_ORDER: return 1;
  case WARNING_NOT_FOLLOWED:
  case WARNING_NOT_SUPPORTED: return 2;
  case WARNING_UNINITIALISED_READ:
  case WARNING_UNINITIALISED_LOCAL: return 4;
  default: return 5;
  }
}

/* Different expressions may mean the same memory. */
static bool belongs(const struct group *group, const warning_list *list, const char *head, uint64_t address) {
  return group->head.length > 0 &&
         (strcmp(text_string(&group->head), head) == 0 || list->items[group->first].warning.address == address);
}

/* Data races on one variable are a group; every other warning is one by itself. */
static void add(group_list *groups, const struct warning_scene *scene, const warning_list *list, size_t i) {
  const struct told_warning *told = &list->items[i];
  struct group group = {.first = i, .count = 1, .rank = rank_of(&told->warning)};
  if (told->warning.kind == WARNING_DATA_RACE) warning_append_variable(&group.head, scene, told);
  for (size_t k = 0; group.head.length > 0 && k < groups->count; k++) {
    struct group *same = &groups->items[k];
    if (!belongs(same, list, text_string(&group.head), told->warning.address)) continue;
    same->count++;
    if (group.rank < same->rank) same->first = i;
    if (group.rank < same->rank) same->rank = group.rank;
    text_free(&group.head);
    return;
  }
  vector_push(groups, group);
}

static int compare_groups(const void *a, const void *b) {
  const struct group *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

static void print_group(FILE *stream, const struct warning_scene *scene, const warning_list *list,
                        const struct group *group) {
  struct text text = {0};
  warning_describe_in_lines(&text, scene, &list->items[group->first]);
  fprintf(stream, "warning: %s\n", text_string(&text));
  if (group->count > 1)
    fprintf(stream, "    and %zu more pair%s of places\n", group->count - 1, group->count == 2 ? "" : "s");
  text_free(&text);
}

void warning_groups_print(FILE *stream, const struct warning_scene *scene, const warning_list *list) {
  group_list groups = {0};
  size_t left_out = 0;
  for (size_t i = 0; i < list->count; i++) add(&groups, scene, list, i);
  if (groups.count > 0) qsort(groups.items, groups.count, sizeof *groups.items, compare_groups);
  for (size_t i = 0; i < groups.count && i < MOST_GROUPS; i++) print_group(stream, scene, list, &groups.items[i]);
  for (size_t i = MOST_GROUPS; i < groups.count; i++) left_out += groups.items[i].count;
  if (left_out > 0) fprintf(stream, "and %zu more warning%s (--json has all)\n", left_out, left_out == 1 ? "" : "s");
  for (size_t i = 0; i < groups.count; i++) text_free(&groups.items[i].head);
  vector_free(&groups);
}
