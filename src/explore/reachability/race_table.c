/* SPDX-License-Identifier: MIT
 *
 * The race variants of a SYN-sequence: Construct-Race-Table (Fig. 7) row by row, the variant that a row stands for
 * (Definition 7), and its colours (Fig. 10).
 *
 * Fig. 7 checks, when it has changed t[i], only that the new partner of r_i is not removed by other changes. A change
 * to the right may remove the new partner of a column to the left, too, where the heading does not order the two: here
 * all changed columns are checked (rule 3 of section 6.2).
 */
#include "explore/reachability/syn.h"

#include "base/deadline.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static void keep_wanted(struct race_table *table, const struct syn *syn, struct syn_column *column, race_filter *filter,
                        void *context) {
  size_t kept = column->first;
  for (size_t i = column->first; i < table->partners.count; i++)
    if (!filter || filter(context, syn, column->receive, table->partners.items[i]))
      table->partners.items[kept++] = table->partners.items[i];
  table->partners.count = kept;
  column->count = (uint32_t)(kept - column->first);
}

void race_table_init(struct race_table *table, const struct syn *syn, race_filter *filter, void *context) {
  table->columns.count = table->partners.count = table->row.count = 0;
  for (syn_id id = 0; id < syn->events.count && !deadline_is_over(table->deadline); id++) {
    if (!syn_is_receive(syn, id) || syn->events.items[id].is_black) continue;
    struct syn_column column = {.receive = id, .first = (uint32_t)table->partners.count};
    syn_add_race_set(syn, id, &table->partners);
    keep_wanted(table, syn, &column, filter, context);
    if (column.count == 0) continue;
    vector_push(&table->columns, column);
    vector_push(&table->row, 0);
  }
}

void race_table_free(struct race_table *table) {
  vector_free(&table->columns);
  vector_free(&table->partners);
  vector_free(&table->row);
}

static bool column_controls(const struct race_table *table, const struct syn *syn, size_t i, size_t j) {
  return syn_controls(syn, table->columns.items[i].receive, table->columns.items[j].receive);
}

/* Lines 11-14. */
static void remove_controlled(struct race_table *table, const struct syn *syn, size_t i) {
  for (size_t j = i + 1; j < table->columns.count; j++)
    if (column_controls(table, syn, i, j)) table->row.items[j] = -1;
}

static bool is_removed(const struct race_table *table, const struct syn *syn, size_t k) {
  for (size_t l = 0; l < k; l++)
    if (table->row.items[l] > 0 && column_controls(table, syn, l, k)) return true;
  return false;
}

/* Lines 15-21. */
static void reset_behind(struct race_table *table, const struct syn *syn, size_t i) {
  for (size_t j = i + 1; j < table->columns.count; j++) {
    if (table->row.items[j] != (int32_t)table->columns.items[j].count) continue;
    if (deadline_is_over(table->deadline)) return;
    table->row.items[j] = 0;
    for (size_t k = j + 1; k < table->columns.count; k++)
      if (table->row.items[k] == -1 && column_controls(table, syn, j, k) && !is_removed(table, syn, k))
        table->row.items[k] = 0;
  }
}

static uint32_t new_partner(const struct race_table *table, size_t i) {
  return table->partners.items[table->columns.items[i].first + (uint32_t)table->row.items[i] - 1];
}

static bool partner_is_removed(const struct race_table *table, const struct syn *syn, size_t i) {
  for (size_t j = 0; j < table->columns.count; j++)
    if (table->row.items[j] > 0 && j != i &&
        syn_controls_partner(syn, table->columns.items[j].receive, table->columns.items[i].receive,
                             new_partner(table, i)))
      return true;
  return false;
}

/* Lines 22-23, for every column. */
static bool is_valid(const struct race_table *table, const struct syn *syn) {
  for (size_t i = 0; i < table->columns.count; i++)
    if (table->row.items[i] > 0 && (deadline_is_over(table->deadline) || partner_is_removed(table, syn, i)))
      return false;
  return true;
}

/* Lines 7-21. */
static bool add_one(struct race_table *table, const struct syn *syn) {
  size_t i = table->columns.count;
  while (i > 0 &&
         (table->row.items[i - 1] == -1 || table->row.items[i - 1] == (int32_t)table->columns.items[i - 1].count))
    i--;
  if (i == 0) return false;
  i--;
  table->row.items[i]++;
  if (table->row.items[i] == 1) remove_controlled(table, syn, i);
  reset_behind(table, syn, i);
  return true;
}

bool race_table_next(struct race_table *table, const struct syn *syn) {
  while (add_one(table, syn))
    if (deadline_is_over(table->deadline))
      return false;
    else if (is_valid(table, syn))
      return true;
  return false;
}

/* ---- what a row stands for ---- */

#define resize(vector, n)                                                                                              \
  do {                                                                                                                 \
    while ((vector)->capacity < (n))                                                                                   \
      (vector)->items = memory_grow((vector)->items, &(vector)->capacity, sizeof *(vector)->items);                    \
    (vector)->count = (n);                                                                                             \
  } while (0)

static void set_all(struct syn_variant *variant, const struct syn *syn) {
  const size_t count = syn->events.count;
  resize(&variant->in, count);
  resize(&variant->partner, count);
  resize(&variant->is_black, count);
  resize(&variant->is_changed, count);
  for (size_t i = 0; i < count; i++) {
    variant->in.items[i] = 1;
    variant->partner.items[i] = syn->events.items[i].partner;
    variant->is_black.items[i] = syn->events.items[i].is_black;
    variant->is_changed.items[i] = 0;
  }
  variant->limits.count = variant->before.count = 0;
  for (uint32_t i = 0; i < syn->n_threads; i++) {
    vector_push(&variant->limits, UINT32_MAX);
    vector_push(&variant->before, 0);
  }
}

static const uint32_t *control_of(const struct syn *syn, syn_id event) {
  return syn_timestamp(syn, event) + syn->n_threads;
}

static void change(struct syn_variant *variant, const struct syn *syn, syn_id receive, uint32_t partner) {
  const struct syn_event *r = &syn->events.items[receive];
  variant->partner.items[receive] = partner;
  variant->is_changed.items[receive] = variant->is_black.items[receive] = 1;
  if (r->number < variant->limits.items[r->thread]) variant->limits.items[r->thread] = r->number;
  const bool sends = r->kind != SYN_CHOICE && partner < SYN_INITIAL;
  for (uint32_t i = 0; i < syn->n_threads; i++) {
    uint32_t known = control_of(syn, receive)[i];
    if (sends && syn_timestamp(syn, partner)[i] > known) known = syn_timestamp(syn, partner)[i];
    if (known > variant->before.items[i]) variant->before.items[i] = known;
  }
}

static bool depends_on_changed(const struct syn_variant *variant, const struct syn *syn, syn_id event) {
  const uint32_t *known = control_of(syn, event);
  for (uint32_t i = 0; i < syn->n_threads; i++)
    if (known[i] >= variant->limits.items[i]) return true;
  return false;
}

/* Is what the receiving event received from still there? A write that was changed is another version, and one that has
 * lost its call is none; it comes before the read in the sequence, so that is known. */
static bool has_partner(const struct syn_variant *variant, const struct syn_event *r) {
  if (r->kind == SYN_CHOICE || r->partner >= SYN_INITIAL) return true;
  if (r->kind == SYN_READ && variant->partner.items[r->partner] == SYN_NONE) return false;
  return variant->in.items[r->partner] && !variant->is_changed.items[r->partner];
}

/* Receiving events before one that was changed must stay as they are (Fig. 10, lines 8-9). */
static void colour(struct syn_variant *variant, const struct syn *syn, syn_id event) {
  const struct syn_event *r = &syn->events.items[event];
  if (r->kind == SYN_SEND || r->thread == NO_SYN_THREAD) return;
  if (variant->before.items[r->thread] >= r->number) variant->is_black.items[event] = 1;
}

void syn_variant_derive(struct syn_variant *variant, const struct syn *syn, const struct race_table *table) {
  set_all(variant, syn);
  for (size_t i = 0; i < table->columns.count; i++)
    if (table->row.items[i] > 0) change(variant, syn, table->columns.items[i].receive, new_partner(table, i));
  for (syn_id id = 0; id < syn->events.count; id++)
    if (depends_on_changed(variant, syn, id)) variant->in.items[id] = 0;
  for (syn_id id = 0; id < syn->events.count; id++) {
    const struct syn_event *event = &syn->events.items[id];
    if (!variant->in.items[id] || event->kind == SYN_SEND) continue;
    if (!variant->is_changed.items[id] && !has_partner(variant, event)) variant->partner.items[id] = SYN_NONE;
    colour(variant, syn, id);
  }
}

void syn_variant_free(struct syn_variant *variant) {
  vector_free(&variant->in);
  vector_free(&variant->partner);
  vector_free(&variant->is_black);
  vector_free(&variant->is_changed);
  vector_free(&variant->limits);
  vector_free(&variant->before);
}
