/* SPDX-License-Identifier: MIT */
#include "report/warning_groups.h"

#include <stdlib.h>
#include <string.h>

#define MOST_GROUPS 10

struct group {
  struct text head; /* what its warnings have in common */
  size_t first;     /* of the list: the one that is shown */
  size_t count;
};
typedef VECTOR(struct group) group_list;

static struct group *find(group_list *groups, const char *head) {
  for (size_t i = 0; i < groups->count; i++)
    if (strcmp(text_string(&groups->items[i].head), head) == 0) return &groups->items[i];
  return NULL;
}

/* Data races on one variable are a group; every other warning is one by itself. */
static void add(group_list *groups, const struct warning_scene *scene, const warning_list *list, size_t i) {
  struct group group = {.first = i, .count = 1};
  const struct told_warning *told = &list->items[i];
  if (told->warning.kind == WARNING_DATA_RACE) warning_append_variable(&group.head, scene, told);
  struct group *same = group.head.length > 0 ? find(groups, text_string(&group.head)) : NULL;
  if (same) {
    same->count++;
    text_free(&group.head);
    return;
  }
  vector_push(groups, group);
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
  for (size_t i = 0; i < groups.count && i < MOST_GROUPS; i++) print_group(stream, scene, list, &groups.items[i]);
  for (size_t i = MOST_GROUPS; i < groups.count; i++) left_out += groups.items[i].count;
  if (left_out > 0) fprintf(stream, "and %zu more warning%s (--json has all)\n", left_out, left_out == 1 ? "" : "s");
  for (size_t i = 0; i < groups.count; i++) text_free(&groups.items[i].head);
  vector_free(&groups);
}
