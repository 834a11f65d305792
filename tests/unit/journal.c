/* SPDX-License-Identifier: MIT
 *
 * What is written to a journal is read again; a file that was cut or changed is read up to a checkpoint or refused.
 */
#include "unit.h"

#include "base/files.h"
#include "explore/executor/journal.h"

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

static void write_journal(unsigned n_replies) {
  struct journal *journal = journal_create(PATH, "a\nb\n", NULL);
  struct text record = {0};
  assert_non_null(journal);
  for (unsigned i = 0; i < n_replies; i++) {
    const struct journal_reply reply = {.plan_hash = i, .plan_done = 1};
    make_record(&record, i);
    journal_write_reply(journal, &reply, &record);
    if (i % 20 == 19) journal_write_checkpoint(journal);
  }
  assert_null(journal_trouble(journal));
  journal_destroy(journal);
  text_free(&record);
}

/* How many replies are read before the end, and that they are right. -1: it is refused, or cannot be read. */
static int read_journal(void) {
  struct journal *journal = journal_resume(PATH, "a\nb\n", NULL);
  if (!journal) return -1;
  struct text record = {0}, wanted = {0};
  struct journal_reply reply;
  int count = 0;
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
}

static void damage_is_cut_off_or_refused(void **unused) {
  struct text whole = {0};
  write_journal(REPLIES);
  assert_true(files_read(PATH, &whole, NULL));
  for (state = 1; state < 150; state++) {
    const uint64_t seed = state;
    size_t length = whole.length;
    char *bytes = memory_allocate(length);
    memcpy(bytes, whole.string, length);
    if (draw(2)) length = draw((uint32_t)length);
    for (uint32_t changes = draw(4); length > 0 && changes > 0; changes--)
      bytes[draw((uint32_t)length)] ^= (char)(1 + draw(255));
    assert_true(files_write(PATH, bytes, length, NULL));
    const int count = read_journal();
    assert_true(count == -1 || count == 0 || count == 20 || count == 40 || count == REPLIES);
    free(bytes);
    state = seed;
  }
  text_free(&whole);
  unlink(PATH);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_read),
      cmocka_unit_test(another_exploration_is_refused),
      cmocka_unit_test(damage_is_cut_off_or_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
