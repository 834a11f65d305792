/* SPDX-License-Identifier: MIT
 *
 * The written form of plans and traces (abi/channel.h): no byte string crashes who reads it. Records are changed again
 * and again, in ways that get past the first tests of a reader, and read by read_record.h under sanitizers. The same
 * numbers are drawn in every run.
 *
 *     records [FILE...]   starts from the records in these files as well (tests/cli/records.sh gives it real ones)
 */
#include "unit.h"

#include "read_record.h"

#include "base/files.h"
#include "base/random.h"
#include "base/text.h"

#include <stdio.h>

#define ROUNDS 60000
#define MOST_CHANGES 4
#define MOST_ADDED_BYTES 256

typedef VECTOR(struct text) seed_list;
static seed_list seeds;
static uint64_t state = 14;

static uint64_t draw(uint64_t count) {
  return random_next(&state) % count;
}

/* --- records to start from --- */

static void add_seed(const void *bytes, size_t size) {
  struct text seed = {0};
  text_append_bytes(&seed, bytes, size);
  vector_push(&seeds, seed);
}

static void pad(struct text *record) {
  text_append_bytes(record, "\0\0\0\0\0\0\0", round_up_8(record->length) - record->length);
}

static void add_plan(void) {
  struct text text = {0};
  const struct step steps[3] = {{0, 0}, {1, 0}, {2, 1}};
  const struct input_value inputs[2] = {{.index = 0, .value = {7, 0}}, {.index = 1, .value = {8, 0}}};
  const struct event sleeper = {.thread = 1, .kind = EVENT_WRITE, .object = 0x1000, .size = 4};
  struct plan plan = {.form = RECORD_PLAN, .runs = 1, .n_steps = 3, .n_inputs = 2, .n_sleepers = 1};
  text_append_bytes(&text, &plan, sizeof plan);
  text_append_bytes(&text, steps, sizeof steps);
  pad(&text);
  text_append_bytes(&text, inputs, sizeof inputs);
  text_append_bytes(&text, &sleeper, sizeof sleeper);
  plan.size_bytes = (uint32_t)text.length;
  memcpy(text.string, &plan, sizeof plan);
  add_seed(text.string, text.length);
  text_free(&text);
}

/* With something of each kind in it. */
static void add_trace(void) {
  struct text text = {0};
  const struct event events[2] = {
      {.object = 0x1000, .size = 4, .thread = 1, .alternatives = 1, .kind = EVENT_READ, .flags = EVENT_VISIBLE},
      {.object = 0x1000,
       .size = 4,
       .thread = 100,
       .alternatives = 1,
       .kind = EVENT_WRITE,
       .flags = EVENT_VISIBLE | EVENT_WIDE}};
  const uint64_t words[2] = {1, 1ull << 36};
  const struct pending pending = {.thread = 1, .kind = EVENT_MUTEX_LOCK, .holder = NO_THREAD};
  const struct block block = {.address = 0x2000, .size_bytes = 8, .index = 1};
  const struct term_record terms[3] = {
      {.kind = TERM_INPUT, .width = 32},
      {.kind = TERM_CONSTANT, .width = 32, .value = {3, 0}},
      {.kind = TERM_EQUAL, .width = 1, .operands = {1, 2, 0}},
  };
  const struct decision decision = {.term = 3, .kind = DECISION_BRANCH};
  const struct input_record input = {.count = 1, .width = 32, .name_bytes = 1};
  const struct input_value value = {.value = {7, 0}};
  const struct access access = {.address = 0x1000, .size = 4, .found = 1};
  const struct granule_addition granule = {.address = 0x1000, .mask = 0xf, .cuts = 2};
  const struct warning warning = {.kind = WARNING_LEAK, .message = "m"};
  const struct observed_addition observed = {.runs = 2, .text_bytes = 3};
  const struct touch touches[2] = {{.address = 0x3000, .thread = 1, .segment = 1, .written = 0xf},
                                   {.address = 0x3000, .thread = 2, .segment = 1, .read = 3}};
  const struct birth births[2] = {{.thread = 1, .other = 0, .segment = 1}, {.thread = 1, .other = 1, .segment = 1}};
  const struct thread_name threads[2] = {{0, 0}, {1, 0}};
  const uint32_t newly_covered = 5, covered[2] = {3, 5};
  struct trace trace = {.form = RECORD_TRACE,
                        .outcome = OUTCOME_ASSERTION,
                        .n_threads = 3,
                        .n_steps = 2,
                        .n_events = 2,
                        .n_words = 2,
                        .n_pending = 1,
                        .n_blocks = 1,
                        .n_terms = 3,
                        .n_decisions = 1,
                        .n_inputs = 1,
                        .n_input_values = 1,
                        .n_accesses = 1,
                        .n_covered = 2,
                        .names_bytes = 1,
                        .message_bytes = 3,
                        .adds = {.n_shared = 1,
                                 .n_warnings = 1,
                                 .n_observed = 1,
                                 .n_touches = 2,
                                 .n_births = 2,
                                 .n_threads = 2,
                                 .n_covered = 1,
                                 .observed_bytes = 3,
                                 .most_threads = 3}};
  text_append_bytes(&text, &trace, sizeof trace);
  text_append_bytes(&text, events, sizeof events);
  text_append_bytes(&text, words, sizeof words);
  text_append_bytes(&text, &pending, sizeof pending);
  text_append_bytes(&text, &block, sizeof block);
  text_append_bytes(&text, terms, sizeof terms);
  text_append_bytes(&text, &decision, sizeof decision);
  text_append_bytes(&text, &input, sizeof input);
  text_append_bytes(&text, &value, sizeof value);
  text_append_bytes(&text, &access, sizeof access);
  text_append_bytes(&text, &granule, sizeof granule);
  text_append_bytes(&text, &warning, sizeof warning);
  text_append_bytes(&text, &observed, sizeof observed);
  text_append_bytes(&text, touches, sizeof touches);
  text_append_bytes(&text, births, sizeof births);
  text_append_bytes(&text, threads, sizeof threads);
  text_append_bytes(&text, &newly_covered, sizeof newly_covered);
  text_append_bytes(&text, covered, sizeof covered);
  text_append_bytes(&text, "xno\0x=1", 7);
  pad(&text);
  trace.size_bytes = (uint32_t)text.length;
  memcpy(text.string, &trace, sizeof trace);
  struct trace *record = (struct trace *)text.string;
  record->check = record_check(record, record->size_bytes, NO_GENERATION);
  add_seed(text.string, text.length);
  text_free(&text);
}

/* --- changes --- */

static void change_bit(struct text *bytes) {
  bytes->string[draw(bytes->length)] ^= (char)(1u << draw(8));
}

/* Numbers at which tests of bounds go wrong, in the places of the counts, mostly. */
static void change_number(struct text *bytes) {
  static const uint32_t numbers[] = {0,         1,       2,         7,          8,         64,       0x1ff,
                                     0x2000,    0x10000, 0x1000000, 0x20000000, INT32_MAX, 1u << 31, UINT32_MAX - 7,
                                     UINT32_MAX};
  const uint64_t fixed = sizeof(struct trace) / 4, all = bytes->length / 4;
  const uint64_t place = draw(draw(2) && fixed < all ? fixed : all);
  uint32_t number = numbers[draw(sizeof numbers / sizeof *numbers)];
  if (draw(2)) memcpy(&number, bytes->string + 4 * place, 4), number += (uint32_t)draw(5) - 2;
  memcpy(bytes->string + 4 * place, &number, 4);
}

static void change_length(struct text *bytes) {
  if (draw(2)) {
    bytes->length = draw(bytes->length + 1);
    return;
  }
  for (uint64_t n = 8 * draw(MOST_ADDED_BYTES / 8); n > 0; n--) {
    const char byte = (char)draw(256);
    text_append_bytes(bytes, &byte, 1);
  }
}

/* The beginning of one record, the end of another. */
static void splice(struct text *bytes) {
  const struct text *other = &seeds.items[draw(seeds.count)];
  const size_t at = draw(other->length + 1);
  bytes->length = draw(bytes->length + 1);
  text_append_bytes(bytes, other->string + at, other->length - at);
}

static void change(struct text *bytes) {
  static void (*const changes[])(struct text *) = {change_bit, change_number, change_number, change_length, splice};
  for (uint64_t n = 1 + draw(MOST_CHANGES); n > 0; n--)
    if (bytes->length >= 4) changes[draw(sizeof changes / sizeof *changes)](bytes);
  const uint32_t length = (uint32_t)bytes->length;
  if (length >= 4 && draw(8)) memcpy(bytes->string, &length, 4);
}

static void no_bytes_do_harm(void **unused) {
  struct records_read read = {0};
  struct text bytes = {0};
  for (uint32_t round = 0; round < ROUNDS; round++) {
    const struct text *seed = &seeds.items[draw(seeds.count)];
    text_clear(&bytes);
    text_append_bytes(&bytes, seed->string, seed->length);
    change(&bytes);
    read_record(bytes.string, bytes.length, &read);
  }
  text_free(&bytes);
  /* Enough got past all tests, and enough did not. */
  assert_in_range(read.plans, ROUNDS / 100, ROUNDS - ROUNDS / 10);
  assert_in_range(read.traces, ROUNDS / 100, ROUNDS - ROUNDS / 10);
  assert_in_range(read.taken, ROUNDS / 200, read.traces - 1);
}

static void unchanged_records_are_read(void **unused) {
  struct records_read read = {0};
  for (size_t i = 0; i < seeds.count; i++) read_record(seeds.items[i].string, seeds.items[i].length, &read);
  assert_int_equal(read.plans + read.traces, seeds.count);
  assert_int_equal(read.intact, read.traces);
}

static void other_forms_are_refused(void **unused) {
  struct records_read read = {0};
  for (size_t i = 0; i < seeds.count; i++) {
    struct text bytes = {0};
    text_append_bytes(&bytes, seeds.items[i].string, seeds.items[i].length);
    for (unsigned bit = 0; bit < 32; bit++) {
      bytes.string[4 + bit / 8] ^= (char)(1u << bit % 8);
      read_record(bytes.string, bytes.length, &read);
      bytes.string[4 + bit / 8] ^= (char)(1u << bit % 8);
    }
    text_free(&bytes);
  }
  assert_int_equal(read.plans + read.traces + read.intact, 0);
}

int main(int argc, char **argv) {
  add_plan();
  add_trace();
  for (int i = 1; i < argc; i++) {
    struct text file = {0};
    struct error error = {0};
    if (!files_read(argv[i], &file, &error)) {
      fprintf(stderr, "%s\n", error.message);
      return 2;
    }
    vector_push(&seeds, file);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unchanged_records_are_read),
      cmocka_unit_test(other_forms_are_refused),
      cmocka_unit_test(no_bytes_do_harm),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  for (size_t i = 0; i < seeds.count; i++) text_free(&seeds.items[i]);
  vector_free(&seeds);
  return failed;
}
