/* SPDX-License-Identifier: MIT
 *
 * src/explore/executor/knowledge.c: what a wild program wrote over the warnings is not believed, and is seen; traces
 * add what a process has found out, or do not fit.
 */
#include "unit.h"

#include "explore/executor/knowledge.h"
#include "explore/executor/lost_run.h"

#include <string.h>

static struct knowledge knowledge, copy;

static void set_up(void) {
  memset(&knowledge, 0, sizeof knowledge);
  atomic_store(&knowledge.n_threads, 3);
}

static void a_warning_comes_out_as_it_went_in(void **state) {
  set_up();
  knowledge.warnings[0] =
      (struct warning){.kind = WARNING_LEAK, .thread = 2, .other_thread = NO_THREAD, .message = "m"};
  atomic_store(&knowledge.n_warnings, 1);
  struct warning warning;
  assert_int_equal(knowledge_warnings(&knowledge), 1);
  assert_true(knowledge_warning(&knowledge, 0, &warning));
  assert_int_equal(warning.thread, 2);
  assert_int_equal(warning.other_thread, NO_THREAD);
  assert_string_equal(warning.message, "m");
}

static void counts_stay_within_the_table(void **state) {
  set_up();
  atomic_store(&knowledge.n_warnings, UINT32_MAX);
  assert_int_equal(knowledge_warnings(&knowledge), MAX_WARNINGS);
  knowledge_copy_warnings(&copy, &knowledge);
  assert_int_equal(knowledge_warnings(&copy), MAX_WARNINGS);
}

static void senseless_fields_are_not_believed(void **state) {
  struct warning warning;
  set_up();
  memset(knowledge.warnings, 0xff, sizeof knowledge.warnings);
  assert_false(knowledge_warning(&knowledge, 0, &warning));
  knowledge.warnings[1].kind = WARNING_NONE;
  assert_false(knowledge_warning(&knowledge, 1, &warning));
  knowledge.warnings[2].kind = WARNING_DATA_RACE;
  knowledge.warnings[2].thread = 3;
  assert_true(knowledge_warning(&knowledge, 2, &warning));
  assert_int_equal(warning.thread, NO_THREAD);
  assert_int_equal(strlen(warning.message), sizeof warning.message - 1);
}

/* --- the seal --- */

/* As the runtime fills it in. */
static void fill(void) {
  memset(&knowledge, 0, sizeof knowledge);
  for (uint32_t i = 0; i < 3; i++) {
    knowledge.threads[i] = (struct thread_name){0, (uint16_t)i};
    knowledge.seal += sealed_thread(i, knowledge.threads[i]);
    knowledge.shared[i] = (struct shared_granule){0x1000 + 8 * i, 0xf};
    knowledge.seal += sealed_shared(i, knowledge.shared[i], knowledge.cuts[i]);
    knowledge.warnings[i] = (struct warning){.kind = WARNING_LEAK, .site = i};
    knowledge.seal += sealed_warning(i, &knowledge.warnings[i]);
    knowledge.touches[i] = (struct touch){.address = 0x2000 + 8 * i, .segment = 1, .read = 1};
    knowledge.seal += sealed_touch(i, &knowledge.touches[i]);
    knowledge.births[i] = (struct birth){(thread_id)i, 0, 1, 0};
    knowledge.seal += sealed_birth(i, knowledge.births[i]);
  }
  knowledge.n_touches = knowledge.n_births = 3;
  knowledge.most_threads = 3;
  knowledge.seal += sealed_most_threads(3);
  atomic_store(&knowledge.n_threads, 3);
  atomic_store(&knowledge.n_shared, 3);
  atomic_store(&knowledge.n_warnings, 3);
}

static void expect_seen(void *part, size_t bytes) {
  for (size_t i = 0; i < 8 * bytes; i++) {
    unsigned char *byte = (unsigned char *)part + i / 8;
    *byte ^= (unsigned char)(1u << i % 8);
    if (knowledge_is_sound(&knowledge)) fail_msg("bit %zu of %zu bytes", i, bytes);
    *byte ^= (unsigned char)(1u << i % 8);
  }
  assert_true(knowledge_is_sound(&knowledge));
}

static void every_bit_that_is_sealed_counts(void **state) {
  fill();
  assert_true(knowledge_is_sound(&knowledge));
  expect_seen(&knowledge.seal, sizeof knowledge.seal);
  expect_seen(&knowledge.n_threads, sizeof knowledge.n_threads);
  expect_seen(&knowledge.n_shared, sizeof knowledge.n_shared);
  expect_seen(&knowledge.n_warnings, sizeof knowledge.n_warnings);
  expect_seen(&knowledge.most_threads, sizeof knowledge.most_threads);
  expect_seen(knowledge.threads, 3 * sizeof *knowledge.threads);
  expect_seen(knowledge.shared, 3 * sizeof *knowledge.shared);
  expect_seen(knowledge.cuts, 3);
  expect_seen(knowledge.warnings, 3 * sizeof *knowledge.warnings);
  expect_seen(&knowledge.n_touches, sizeof knowledge.n_touches);
  expect_seen(&knowledge.n_births, sizeof knowledge.n_births);
  expect_seen(knowledge.touches, 3 * sizeof *knowledge.touches);
  expect_seen(knowledge.births, 3 * sizeof *knowledge.births);
}

static void sealing_accepts_what_is_there(void **state) {
  fill();
  knowledge.shared[1].mask = 1;
  assert_false(knowledge_is_sound(&knowledge));
  knowledge_seal(&knowledge);
  assert_true(knowledge_is_sound(&knowledge));
}

/* --- what traces add --- */

static struct process_knowledge process, other_process;
static struct observations observations;
static struct text record;

/* The trace of a run of the process: additions as they stand, without events. */
static struct trace_view trace_of(const struct process_knowledge *writer) {
  static struct channel channel;
  static const struct plan plan = {.runs = 1};
  const struct lost_run lost = {.outcome = OUTCOME_VANISHED, .message = "", .process = writer};
  struct trace_view view;
  lost_run_write(&record, &lost, &plan, &channel, "", 8);
  assert_true(trace_open(&view, (const struct trace *)record.string, record.length));
  return view;
}

static bool takes(const struct process_knowledge *writer) {
  const struct trace_view view = trace_of(writer);
  return knowledge_take(&knowledge, &observations, &view);
}

/* As the runtime does. */
static void name_thread(struct process_knowledge *in, thread_id parent, uint16_t index) {
  const uint32_t id = in->known.n_threads++;
  in->known.threads[id] = (struct thread_name){parent, index};
  in->known.seal += sealed_thread(id, in->known.threads[id]);
}

static void share(struct process_knowledge *in, uint64_t address, uint8_t mask) {
  const uint32_t place = in->known.n_shared++;
  in->known.shared[place] = (struct shared_granule){address, mask};
  in->known.cuts[place] = 0;
  in->known.seal += sealed_shared(place, in->known.shared[place], 0);
}

static void grow(struct process_knowledge *in, uint32_t place, uint8_t mask, uint8_t cuts) {
  in->known.seal -= sealed_shared(place, in->known.shared[place], in->known.cuts[place]);
  in->known.shared[place].mask = mask;
  in->known.cuts[place] = cuts;
  in->known.seal += sealed_shared(place, in->known.shared[place], cuts);
  if (place < in->untold.shared) in->untold.changed[in->untold.n_changed++] = place;
}

static void warn(struct process_knowledge *in, site_id site) {
  const uint32_t place = in->known.n_warnings++;
  in->known.warnings[place] = (struct warning){.kind = WARNING_LEAK, .site = site};
  in->known.seal += sealed_warning(place, &in->known.warnings[place]);
}

static void observe(struct process_knowledge *in, const char *text, uint64_t runs) {
  struct observations *list = &in->untold.observations;
  const uint32_t bytes = (uint32_t)strlen(text), place = list->n_observed++;
  list->observed[place] = (struct observed){text_hash(text, bytes), runs, list->text_bytes, bytes};
  memcpy(list->text + list->text_bytes, text, bytes);
  list->text_bytes += bytes;
  in->untold.observed_sum += sealed_observed(place, text_hash(text, bytes), bytes, runs);
}

static void touch(struct process_knowledge *in, uint64_t address, thread_id thread) {
  const uint32_t place = in->known.n_touches++;
  in->known.touches[place] = (struct touch){.address = address, .thread = thread, .segment = 1, .written = 0xf};
  in->known.seal += sealed_touch(place, &in->known.touches[place]);
}

static void bear(struct process_knowledge *in, thread_id thread, thread_id other, uint16_t segment) {
  const uint32_t place = in->known.n_births++;
  in->known.births[place] = (struct birth){thread, other, segment, 0};
  in->known.seal += sealed_birth(place, in->known.births[place]);
}

static void start_anew(void) {
  memset(&knowledge, 0, sizeof knowledge);
  memset(&observations, 0, sizeof observations);
  knowledge_load(&process, &knowledge);
}

static void add_everything(void) {
  name_thread(&process, 0, 0);
  name_thread(&process, 1, 0);
  share(&process, 0x1000, 0xf);
  warn(&process, 7);
  observe(&process, "x=1", 2);
  observe(&process, "x=22", 1);
  touch(&process, 0x3000, 1);
  bear(&process, 1, 0, 1);
}

static void what_a_process_adds_is_taken(void **state) {
  start_anew();
  assert_true(takes(&process)); /* nothing yet */
  assert_int_equal(knowledge.version, 0);
  add_everything();
  assert_true(takes(&process));
  assert_int_equal(knowledge.version, 1);
  assert_int_equal(knowledge_threads(&knowledge), 3);
  assert_int_equal(knowledge.threads[2].parent, 1);
  assert_int_equal(knowledge.shared[0].mask, 0xf);
  assert_int_equal(knowledge.warnings[0].site, 7);
  assert_int_equal(observations.n_observed, 2);
  assert_int_equal(observations.observed[0].runs, 2);
  assert_memory_equal(observations.text, "x=1x=22", 7);
  assert_true(knowledge_is_sound(&knowledge));
}

static void what_is_known_can_grow(void **state) {
  start_anew();
  add_everything();
  assert_true(takes(&process));
  knowledge_load(&process, &knowledge);
  grow(&process, 0, 0xff, 0x10);
  share(&process, 0x2000, 1);
  observe(&process, "x=22", 4);
  assert_true(takes(&process));
  assert_int_equal(knowledge.version, 2);
  assert_int_equal(knowledge_shared(&knowledge), 2);
  assert_int_equal(knowledge.shared[0].mask, 0xff);
  assert_int_equal(knowledge.cuts[0], 0x10);
  assert_int_equal(observations.observed[1].runs, 5);
  assert_int_equal(observations.n_observed, 2);
}

/* Two processes start from one version, and both give the next id. */
static void an_id_belongs_to_who_comes_first(void **state) {
  start_anew();
  knowledge_load(&other_process, &knowledge);
  name_thread(&process, 0, 0);
  name_thread(&other_process, 0, 1);
  assert_true(takes(&process));
  assert_false(takes(&other_process));
  assert_int_equal(knowledge_threads(&knowledge), 2);
  assert_int_equal(knowledge.threads[1].index, 0);
  knowledge_load(&other_process, &knowledge);
  name_thread(&other_process, 0, 1);
  assert_true(takes(&other_process));
  assert_int_equal(knowledge.threads[2].index, 1);
}

/* A process that is started anew knows what traces have told of touches; what was untold is forgotten. */
static void touches_come_to_the_next_process(void **state) {
  start_anew();
  name_thread(&process, 0, 0);
  touch(&process, 0x1000, 1);
  bear(&process, 1, 0, 1);
  assert_true(takes(&process));
  assert_int_equal(knowledge.version, 1);
  knowledge_load(&process, &knowledge);
  touch(&process, 0x2000, 1);
  knowledge_load(&process, &knowledge);
  assert_int_equal(process.known.n_touches, 1);
  assert_int_equal(process.known.touches[0].address, 0x1000);
  assert_int_equal(process.known.births[0].segment, 1);
  touch(&process, 0x1000, 0);
  assert_true(takes(&process));
  assert_int_equal(knowledge.version, 2);
  assert_int_equal(knowledge_touches(&knowledge), 2);
  assert_true(knowledge_is_sound(&knowledge));
}

static void touches_that_make_no_sense_do_not_fit(void **state) {
  start_anew();
  touch(&process, 0x1000, 1); /* nobody has named thread 1 */
  assert_false(takes(&process));
  start_anew();
  touch(&process, 0x1004, 0);
  assert_false(takes(&process));
  start_anew();
  bear(&process, 0, 1, 1);
  assert_false(takes(&process));
  start_anew();
  process.known.n_touches = UINT32_MAX; /* the table is full of what says nothing */
  assert_false(takes(&process));
}

static void what_was_touched_goes_with_the_threads(void **state) {
  start_anew();
  touch(&process, 0x1000, 0);
  assert_true(takes(&process));
  knowledge_copy_threads(&knowledge, &copy);
  assert_int_equal(knowledge_touches(&knowledge), 0);
}

static void expect_no_fit(void *part, size_t bytes) {
  for (size_t i = 0; i < 8 * bytes; i++) {
    unsigned char *byte = (unsigned char *)part + i / 8;
    *byte ^= (unsigned char)(1u << i % 8);
    if (takes(&process)) fail_msg("bit %zu of %zu bytes", i, bytes);
    *byte ^= (unsigned char)(1u << i % 8);
  }
  assert_int_equal(knowledge_threads(&knowledge), 1);
}

static void every_bit_that_is_added_counts(void **state) {
  struct observations *list = &process.untold.observations;
  start_anew();
  add_everything();
  expect_no_fit(&process.known.seal, 8);
  expect_no_fit(&process.known.version, 8);
  expect_no_fit(&process.known.threads[1], 2 * sizeof *process.known.threads);
  expect_no_fit(&process.known.shared[0], sizeof(uint64_t) + 1);
  expect_no_fit(&process.known.cuts[0], 1);
  expect_no_fit(&process.known.warnings[0], sizeof *process.known.warnings);
  expect_no_fit(&process.known.touches[0], sizeof *process.known.touches);
  expect_no_fit(&process.known.births[0], sizeof *process.known.births);
  expect_no_fit(&process.untold.touches, 1);
  expect_no_fit(&process.untold.births, 1);
  expect_no_fit(&process.known.most_threads, sizeof process.known.most_threads);
  expect_no_fit(&list->observed[0].runs, sizeof list->observed[0].runs);
  expect_no_fit(&list->observed[1].text_bytes, sizeof list->observed[1].text_bytes);
  expect_no_fit(list->text, 7);
  expect_no_fit(&list->n_observed, 1);
  expect_no_fit(&process.untold.threads, 1);
  expect_no_fit(&process.untold.warnings, 1);
  expect_no_fit(&process.untold.observed_sum, 8);
  assert_true(takes(&process));
  text_free(&record);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_warning_comes_out_as_it_went_in),
      cmocka_unit_test(counts_stay_within_the_table),
      cmocka_unit_test(senseless_fields_are_not_believed),
      cmocka_unit_test(every_bit_that_is_sealed_counts),
      cmocka_unit_test(sealing_accepts_what_is_there),
      cmocka_unit_test(what_a_process_adds_is_taken),
      cmocka_unit_test(what_is_known_can_grow),
      cmocka_unit_test(an_id_belongs_to_who_comes_first),
      cmocka_unit_test(touches_come_to_the_next_process),
      cmocka_unit_test(touches_that_make_no_sense_do_not_fit),
      cmocka_unit_test(what_was_touched_goes_with_the_threads),
      cmocka_unit_test(every_bit_that_is_added_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
