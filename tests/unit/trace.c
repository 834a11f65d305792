/* SPDX-License-Identifier: MIT
 *
 * src/trace: only sound records are opened, whatever stands in them; sets of enabled threads; the tables.
 */
#include "unit.h"

#include "base/random.h"
#include "base/text.h"
#include "trace/tables.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* A record of `n` steps of threads 0 and 1 in turn, with `n_words` words, a pending thread and a message. */
static struct trace *make_record(uint32_t n, uint32_t n_words, const char *message) {
  const uint32_t message_bytes = (uint32_t)strlen(message) + 1;
  const uint64_t size = round_up_8(sizeof(struct trace) + n * sizeof(struct event) + n_words * 8 +
                                   sizeof(struct pending) + message_bytes);
  struct trace *record = memory_allocate(size);
  record->size_bytes = (uint32_t)size;
  record->form = RECORD_TRACE;
  record->outcome = OUTCOME_FINISHED;
  record->n_threads = 2;
  record->n_steps = record->n_events = n;
  record->n_words = n_words;
  record->n_pending = 1;
  record->message_bytes = message_bytes;
  struct event *events = (struct event *)(record + 1);
  for (uint32_t i = 0; i < n; i++)
    events[i] = (struct event){.object = 0x1000,
                               .thread = (thread_id)(i % 2),
                               .enabled = 3,
                               .alternatives = 1,
                               .kind = EVENT_READ,
                               .flags = EVENT_VISIBLE};
  struct pending *pending = (struct pending *)((uint64_t *)(events + n) + n_words);
  *pending = (struct pending){.thread = 1, .kind = EVENT_MUTEX_LOCK, .holder = NO_THREAD};
  memcpy(pending + 1, message, message_bytes);
  return record;
}

static struct event *events_of(struct trace *record) {
  return (struct event *)(record + 1);
}

static void a_sound_record_opens(void **state) {
  struct trace *record = make_record(4, 0, "words");
  struct trace_view view;
  assert_true(trace_open(&view, record, record->size_bytes));
  assert_string_equal(view.message, "words");
  assert_int_equal(view.pendings[0].kind, EVENT_MUTEX_LOCK);
  struct trace *copy = trace_copy(&view);
  free(record);
  assert_true(trace_open(&view, copy, copy->size_bytes));
  struct schedule schedule = {0};
  schedule_append_trace(&schedule, &view);
  assert_int_equal(schedule.count, 4);
  assert_int_equal(schedule.items[3].thread, 1);
  free(schedule.items);
  free(copy);
}

static void damaged_records_are_refused(void **state) {
  struct trace_view view;
  struct trace *record = make_record(4, 0, "words");
  const uint32_t size = record->size_bytes;
  assert_false(trace_open(&view, record, sizeof *record - 8));
  assert_false(trace_open(&view, record, size - 8));
  record->n_events = 1000;
  assert_false(trace_open(&view, record, size));
  record->n_events = UINT32_MAX;
  assert_false(trace_open(&view, record, size));
  record->n_events = 4;
  record->outcome = OUTCOMES;
  assert_false(trace_open(&view, record, size));
  record->outcome = OUTCOME_NONE;
  assert_false(trace_open(&view, record, size));
  record->outcome = OUTCOME_DEADLOCK;
  assert_true(trace_open(&view, record, size));
  events_of(record)[2].kind = EVENT_KINDS;
  assert_false(trace_open(&view, record, size));
  events_of(record)[2].kind = EVENT_WRITE;
  events_of(record)[2].alternative = 1;
  assert_false(trace_open(&view, record, size));
  events_of(record)[2].alternative = 0;
  events_of(record)[2].thread = HEDDLE_MAX_THREADS;
  assert_false(trace_open(&view, record, size));
  free(record);
}

/* Bytes overwritten at random: opened or refused, but what is opened can be read to its end without a sanitizer's
 * complaint. */
static void overwritten_records_do_no_harm(void **state) {
  uint64_t seed = 7, opened = 0;
  for (int round = 0; round < 20000; round++) {
    struct trace *record = make_record(4, 3, "words");
    const uint32_t size = record->size_bytes;
    for (uint64_t n = 1 + random_next(&seed) % 3; n > 0; n--)
      ((unsigned char *)record)[random_next(&seed) % size] = (unsigned char)random_next(&seed);
    struct trace_view view;
    if (trace_open(&view, record, size)) {
      opened++;
      struct schedule schedule = {0};
      schedule_append_trace(&schedule, &view);
      for (uint32_t i = 0; i < view.record->n_events; i++)
        if (event_is_step(&view.events[i]))
          for (thread_id t = 0; t < 300; t++) trace_was_enabled(&view, &view.events[i], t);
      assert_true(strlen(view.message) <= size);
      free(schedule.items);
    }
    free(record);
  }
  assert_true(opened > 0);
}

static void wide_sets_are_read(void **state) {
  struct trace *record = make_record(3, 5, "");
  struct event *events = events_of(record);
  uint64_t *words = (uint64_t *)(events + 3);
  events[0].flags |= EVENT_WIDE, events[0].enabled = 0; /* two words */
  events[2].flags |= EVENT_WIDE, events[2].enabled = 2; /* three words */
  words[1] = 1ull << 5;
  words[2] = 1;
  words[4] = 1ull << 63;
  struct trace_view view;
  assert_true(trace_open(&view, record, record->size_bytes));
  assert_int_equal(trace_enabled_words(&view, &view.events[0]), 2);
  assert_int_equal(trace_enabled_words(&view, &view.events[1]), 1);
  assert_int_equal(trace_enabled_words(&view, &view.events[2]), 3);
  assert_true(trace_was_enabled(&view, &view.events[0], 69));
  assert_false(trace_was_enabled(&view, &view.events[0], 5));
  assert_false(trace_was_enabled(&view, &view.events[0], 128));
  assert_true(trace_was_enabled(&view, &view.events[1], 1));
  assert_false(trace_was_enabled(&view, &view.events[1], 2));
  assert_true(trace_was_enabled(&view, &view.events[2], 0));
  assert_true(trace_was_enabled(&view, &view.events[2], 191));
  free(record);
}

static void sections_are_no_steps(void **state) {
  struct trace *record = make_record(3, 0, "");
  events_of(record)[1].flags |= EVENT_IN_SECTION;
  struct trace_view view;
  assert_true(trace_open(&view, record, record->size_bytes));
  struct schedule schedule = {0};
  schedule_append_trace(&schedule, &view);
  assert_int_equal(schedule.count, 2);
  free(schedule.items);
  free(record);
}

static void tables_answer_everything(void **state) {
  for (uint32_t kind = 0; kind < EVENT_KINDS + 10; kind++) assert_non_null(event_row(kind)->words);
  for (uint32_t outcome = 0; outcome < OUTCOMES + 10; outcome++) {
    const struct outcome_row *row = outcome_row(outcome);
    assert_non_null(row->words);
    assert_int_equal(row->class == OUTCOME_BUG, row->kind[0] != 0);
  }
  assert_true(outcome_is_bug(OUTCOME_DEADLOCK));
  assert_false(outcome_is_bug(OUTCOME_FINISHED));
  assert_false(outcome_is_bug(UINT32_MAX));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sound_record_opens),           cmocka_unit_test(damaged_records_are_refused),
      cmocka_unit_test(overwritten_records_do_no_harm), cmocka_unit_test(wide_sets_are_read),
      cmocka_unit_test(sections_are_no_steps),          cmocka_unit_test(tables_answer_everything),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
