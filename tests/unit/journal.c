/* SPDX-License-Identifier: MIT
 *
 * What is written to a journal is read again; a file that was cut or changed is read up to a checkpoint or refused.
 */
#include "unit.h"

#include "base/files.h"
#include "explore/executor/journal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPLIES 60
#define PATH "journal-of-the-test"

static uint64_t state;

static uint32_t draw(uint32_t end) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (uint32_t)(state >> 33) % end;
}

/* The record of reply i: one like the others, of another length, with some words changed. */
static void make_record(struct text *record, unsigned i) {
  text_clear(record);
  struct trace trace = {.ticket = i, .n_steps = i % 7};
  text_append_bytes(record, &trace, sizeof trace);
  for (unsigned k = 0; k < 3 + i % 5; k++) text_append_format(record, "%08u", k % 3 ? k : i);
  if (i % 10 == 3) text_append(record, "odd");
}

#define STATE_TEXT "all that is known"

/* A state after so many replies, in their place; UINT_MAX: none. */
static void write_journal_with_state(unsigned n_replies, unsigned state_after) {
  unlink(PATH);
  struct journal *journal = journal_create(PATH, "a\nb\n", NULL);
  struct text state_text = {0};
  text_append(&state_text, STATE_TEXT);
  struct text record = {0};
  assert_non_null(journal);
  for (unsigned i = 0; i < n_replies; i++) {
    const struct journal_reply reply = {.plan_hash = i, .plan_done = 1};
    make_record(&record, i);
    journal_write_reply(journal, &reply, &record);
    if (i % 20 == 19) journal_write_checkpoint(journal);
    if (i + 1 == state_after) journal_write_state(journal, &state_text);
  }
  text_free(&state_text);
  assert_null(journal_trouble(journal));
  journal_destroy(journal);
  text_free(&record);
}

static void write_journal(unsigned n_replies) {
  write_journal_with_state(n_replies, UINT_MAX);
}

/* How many replies there are up to the last checkpoint, and that they are right: those before the state are gone. -1:
 * it is refused, or cannot be read. */
static int read_journal_with_state(unsigned state_after) {
  struct journal *journal = journal_resume(PATH, "a\nb\n", NULL);
  if (!journal) return -1;
  const struct text *state_text = journal_state(journal);
  assert_int_equal(state_after > 0, state_text != NULL);
  if (state_text) assert_string_equal(text_string(state_text), STATE_TEXT);
  struct text record = {0}, wanted = {0};
  struct journal_reply reply;
  int count = (int)state_after;
  while (count >= 0 && journal_is_reading(journal)) {
    const enum journal_entry entry = journal_read(journal, &reply, &record);
    if (entry == JOURNAL_FAILED) count = -1;
    if (entry != JOURNAL_REPLY) break;
    make_record(&wanted, (unsigned)count);
    assert_int_equal(reply.plan_hash, count);
    assert_int_equal(record.length, wanted.length);
    assert_memory_equal(record.string, wanted.string, wanted.length);
    count++;
  }
  journal_destroy(journal);
  text_free(&record);
  text_free(&wanted);
  return count;
}

static int read_journal(void) {
  return read_journal_with_state(0);
}

static void a_state_takes_the_place_of_what_was_before(void **unused) {
  write_journal_with_state(REPLIES, 30);
  assert_int_equal(read_journal_with_state(30), REPLIES);
  assert_int_equal(read_journal_with_state(30), REPLIES);
  write_journal_with_state(35, 30);
  assert_int_equal(read_journal_with_state(30), 30);
}

static void what_is_written_is_read(void **unused) {
  write_journal(REPLIES);
  assert_int_equal(read_journal(), REPLIES);
  write_journal(REPLIES + 7); /* those after the last checkpoint go */
  assert_int_equal(read_journal(), REPLIES);
  assert_int_equal(read_journal(), REPLIES);
  write_journal(10);
  assert_int_equal(read_journal(), 0);
}

static void another_exploration_is_refused(void **unused) {
  struct error error = {0};
  write_journal(REPLIES);
  assert_null(journal_resume(PATH, "a\nc\n", &error));
  assert_non_null(strstr(error.message, "'b' there, 'c' here"));
  assert_null(journal_resume(PATH, "a\nb\nd\n", &error));
  assert_null(journal_resume("no-such-file", "a\nb\n", &error));
  unlink(PATH);
  journal_destroy(journal_create(PATH, JOURNAL_MAKER "1\na\n", &error));
  assert_null(journal_resume(PATH, JOURNAL_MAKER "2\na\n", &error));
  assert_non_null(strstr(error.message, "another version of heddle"));
}

/* No change is taken for something else; what was cut off at the end is missing. */
static void try_damage(const struct text *whole, unsigned state_after) {
  const uint64_t seed = state;
  size_t length = whole->length;
  char *bytes = memory_allocate(length);
  memcpy(bytes, whole->string, length);
  const bool is_cut = draw(2);
  if (is_cut) length = draw((uint32_t)length);
  for (uint32_t changes = draw(4); length > 0 && changes > 0; changes--)
    bytes[draw((uint32_t)length)] ^= (char)(1 + draw(255));
  const bool is_changed = memcmp(bytes, whole->string, length) != 0;
  assert_true(files_write(PATH, bytes, length, NULL));
  const int count = read_journal_with_state(state_after);
  assert_true(count == -1 || count == (int)state_after || count == 20 || count == 40 || count == REPLIES);
  if (is_changed && !is_cut) assert_int_equal(count, -1);
  if (count == -1) {
    struct text after = {0};
    assert_true(files_read(PATH, &after, NULL));
    assert_int_equal(after.length, length);
    assert_memory_equal(text_string(&after), bytes, length);
    text_free(&after);
  }
  free(bytes);
  state = seed;
}

static void damage_is_cut_off_or_refused(void **unused) {
  for (unsigned state_after = 0; state_after <= 30; state_after += 30) {
    struct text whole = {0};
    write_journal_with_state(REPLIES, state_after);
    assert_true(files_read(PATH, &whole, NULL));
    for (state = 1; state < 150; state++) try_damage(&whole, state_after);
    text_free(&whole);
  }
  unlink(PATH);
}

static void what_belongs_to_others_is_not_replaced(void **unused) {
  struct error error = {0};
  write_journal(REPLIES);
  assert_null(journal_create(PATH, "another\n", &error));
  assert_int_equal(read_journal(), REPLIES);
  assert_true(files_write(PATH, "mine", 4, NULL));
  assert_null(journal_create(PATH, "a\nb\n", &error));
  unlink(PATH);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_read),
      cmocka_unit_test(a_state_takes_the_place_of_what_was_before),
      cmocka_unit_test(what_belongs_to_others_is_not_replaced),
      cmocka_unit_test(another_exploration_is_refused),
      cmocka_unit_test(damage_is_cut_off_or_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
