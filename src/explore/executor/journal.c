/* SPDX-License-Identifier: MIT
 *
 * Runs that follow each other have most of their traces in common: of a trace, those words are written that differ from
 * the trace before, at the same place.
 */
#include "explore/executor/journal.h"

#include "base/number_set.h"
#include "trace/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "heddle exploration\n"
#define VERSION 2u
/* A checkpoint takes some milliseconds. */
#define FIRST_SECONDS 0.05
#define MOST_SECONDS 0.5
/* After so many bytes of replies, and more than twice its own size, a state is written although it is not time. */
#define MOST_REPLY_BYTES (4u << 20)
#define STATE_SECONDS 60.0
#define MOST_IDENTITY_BYTES (1u << 20)

struct header {
  char magic[24];
  uint32_t version, protocol, identity_bytes, has_state;
  uint64_t check; /* of the others and the identity */
};

enum record_kind { RECORD_REPLY = 1, RECORD_CHECKPOINT, RECORD_STATE };

struct record_head {
  uint32_t kind, size_bytes; /* of what follows */
  uint64_t check;            /* of that */
  uint64_t head_check;       /* of these */
};

struct journal {
  FILE *file;
  char *path, *identity;
  struct text buffer;   /* the record that is read or written */
  struct text previous; /* the trace of the last REPLY */
  uint64_t at, end;     /* while reading: the next record, and after the last checkpoint */
  bool is_reading;
  double checkpoint_at, seconds; /* the last one, and how long until the next */
  struct text state;             /* that was read */
  double state_at;               /* when it was written, or the file was begun */
  double state_seconds;          /* how long until the next */
  uint64_t state_bytes, bytes_since_state;
  char *trouble;
};

static double now_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static uint64_t hash_bytes(const void *bytes, size_t count, uint64_t hash) {
  const char *from = bytes;
  uint64_t word;
  for (; count >= sizeof word; count -= sizeof word, from += sizeof word) {
    memcpy(&word, from, sizeof word);
    hash = hash_mix(hash, word);
  }
  word = 0;
  memcpy(&word, from, count);
  return hash_mix(hash, word + count);
}

uint64_t journal_hash_plan(const struct plan *plan) {
  struct plan head = *plan;
  head.check = 0;
  head.runs = 0;
  head.version = 0;
  head.seen = 0;
  uint64_t hash = hash_bytes(&head, sizeof head, 1);
  hash = hash_bytes(plan_steps(plan), plan->n_steps * sizeof(struct step),
                    hash); /* what fills up to 8 bytes is left out */
  hash = hash_bytes(plan_inputs(plan), plan->n_inputs * sizeof(struct input_value), hash);
  return hash_bytes(plan_sleepers(plan), plan->n_sleepers * sizeof(struct event), hash);
}

/* ---- traces ---- */

#define WORD_BYTES 8u
#define GROUP_WORDS 8u /* one byte says which of them are written */

/* 0 where there is none. */
static uint64_t word_at(const struct text *text, size_t number) {
  uint64_t word = 0;
  const size_t at = number * WORD_BYTES;
  if (at >= text->length) return 0;
  memcpy(&word, text->string + at, text->length - at < WORD_BYTES ? text->length - at : WORD_BYTES);
  return word;
}

static void keep_previous(struct journal *journal, const struct text *record) {
  text_clear(&journal->previous);
  text_append_bytes(&journal->previous, record->string, record->length);
}

/* Appends the record, as what differs from the previous one: its length, then groups of words. */
static void pack(struct journal *journal, const struct text *record) {
  const uint32_t length = (uint32_t)record->length;
  text_append_bytes(&journal->buffer, &length, sizeof length);
  for (size_t first = 0; first * WORD_BYTES < length; first += GROUP_WORDS) {
    uint64_t words[GROUP_WORDS];
    unsigned count = 0;
    uint8_t mask = 0;
    for (unsigned i = 0; i < GROUP_WORDS; i++) {
      const uint64_t difference = word_at(record, first + i) ^ word_at(&journal->previous, first + i);
      if (difference == 0 || (first + i) * WORD_BYTES >= length) continue;
      mask |= (uint8_t)(1u << i);
      words[count++] = difference;
    }
    text_append_bytes(&journal->buffer, &mask, 1);
    text_append_bytes(&journal->buffer, words, count * sizeof *words);
  }
  keep_previous(journal, record);
}

static bool unpack(struct journal *journal, const char *from, const char *end, struct text *record) {
  uint32_t length;
  if ((size_t)(end - from) < sizeof length) return false;
  memcpy(&length, from, sizeof length);
  from += sizeof length;
  text_clear(record);
  for (size_t first = 0; first * WORD_BYTES < length; first += GROUP_WORDS) {
    if (from == end) return false;
    const uint8_t mask = (uint8_t)*from++;
    for (unsigned i = 0; i < GROUP_WORDS && record->length < length; i++) {
      uint64_t difference = 0;
      if (mask >> i & 1) {
        if ((size_t)(end - from) < sizeof difference) return false;
        memcpy(&difference, from, sizeof difference);
        from += sizeof difference;
      }
      const uint64_t word = word_at(&journal->previous, first + i) ^ difference;
      const size_t left = length - record->length;
      text_append_bytes(record, &word, left < WORD_BYTES ? left : WORD_BYTES);
    }
  }
  keep_previous(journal, record);
  return from == end;
}

/* ---- writing ---- */

void journal_give_up(struct journal *journal, const char *because) {
  if (!journal->trouble) journal->trouble = memory_copy_string(because);
}

const char *journal_trouble(const struct journal *journal) {
  return journal->trouble;
}

static void write_failed(struct journal *journal) {
  struct error error;
  error_set_errno(&error, "cannot write to the file");
  journal_give_up(journal, error.message);
}

static uint64_t head_check(const struct record_head *head) {
  return hash_bytes(head, offsetof(struct record_head, head_check), 0);
}

static void write_record(struct journal *journal, enum record_kind kind) {
  const struct text *buffer = &journal->buffer;
  struct record_head head = {kind, (uint32_t)buffer->length, hash_bytes(buffer->string, buffer->length, kind), 0};
  if (journal->trouble) return;
  if (buffer->length > UINT32_MAX) {
    journal_give_up(journal, "a record is too long");
    return;
  }
  head.head_check = head_check(&head);
  journal->bytes_since_state += sizeof head + buffer->length;
  if (fwrite(&head, sizeof head, 1, journal->file) == 1 &&
      (buffer->length == 0 || fwrite(buffer->string, buffer->length, 1, journal->file) == 1))
    return;
  write_failed(journal);
}

void journal_write_reply(struct journal *journal, const struct journal_reply *reply, const struct text *record) {
  if (journal->trouble) return;
  text_clear(&journal->buffer);
  text_append_bytes(&journal->buffer, reply, sizeof *reply);
  pack(journal, record);
  write_record(journal, RECORD_REPLY);
}

bool journal_is_due(const struct journal *journal) {
  return !journal->trouble && !journal->is_reading && now_seconds() - journal->checkpoint_at > journal->seconds;
}

static void write_rest(struct journal *journal) {
  text_clear(&journal->buffer);
  write_record(journal, RECORD_CHECKPOINT);
}

void journal_write_checkpoint(struct journal *journal) {
  if (journal->trouble) return;
  write_rest(journal);
  if (fflush(journal->file) != 0) write_failed(journal);
  journal->checkpoint_at = now_seconds();
  journal->seconds = 2 * journal->seconds < MOST_SECONDS ? 2 * journal->seconds : MOST_SECONDS;
}

/* ---- reading ---- */

enum record_state { RECORD_IS_WHOLE, RECORD_IS_CUT, RECORD_IS_DAMAGED };

static bool is_nothing(const struct record_head *head) {
  return head->kind == 0 && head->size_bytes == 0 && head->check == 0 && head->head_check == 0;
}

static bool read_bytes(struct journal *journal, uint32_t size_bytes) {
  text_clear(&journal->buffer);
  while (journal->buffer.length < size_bytes) {
    char bytes[1 << 16];
    const size_t left = size_bytes - journal->buffer.length, count = left < sizeof bytes ? left : sizeof bytes;
    if (fread(bytes, 1, count, journal->file) != count) return false;
    text_append_bytes(&journal->buffer, bytes, count);
  }
  return true;
}

/* Reads the record at `journal->at` and moves past it. Where a machine was switched off, zeroes may follow. */
static enum record_state read_record(struct journal *journal, uint64_t file_bytes, uint32_t *kind) {
  struct record_head head;
  if (file_bytes - journal->at < sizeof head) return RECORD_IS_CUT;
  if (fread(&head, sizeof head, 1, journal->file) != 1) return RECORD_IS_DAMAGED;
  if (is_nothing(&head)) return RECORD_IS_CUT;
  if (head.head_check != head_check(&head)) return RECORD_IS_DAMAGED;
  if (head.size_bytes > file_bytes - journal->at - sizeof head) return RECORD_IS_CUT;
  if (!read_bytes(journal, head.size_bytes)) return RECORD_IS_DAMAGED;
  if (head.check != hash_bytes(text_string(&journal->buffer), head.size_bytes, head.kind)) return RECORD_IS_DAMAGED;
  journal->at += sizeof head + head.size_bytes;
  *kind = head.kind;
  return RECORD_IS_WHOLE;
}

static bool take_reply(struct journal *journal, struct journal_reply *reply, struct text *record) {
  if (journal->buffer.length <= sizeof *reply) return false;
  memcpy(reply, journal->buffer.string, sizeof *reply);
  return unpack(journal, journal->buffer.string + sizeof *reply, journal->buffer.string + journal->buffer.length,
                record);
}

/* What comes after the last checkpoint goes. */
static bool start_writing(struct journal *journal) {
  journal->is_reading = false;
  text_free(&journal->state);
  journal->checkpoint_at = now_seconds();
  return fseeko(journal->file, (off_t)journal->end, SEEK_SET) == 0 &&
         ftruncate(fileno(journal->file), (off_t)journal->end) == 0;
}

bool journal_is_reading(const struct journal *journal) {
  return journal->is_reading;
}

enum journal_entry journal_read(struct journal *journal, struct journal_reply *reply, struct text *record) {
  uint32_t kind;
  while (read_record(journal, journal->end, &kind) == RECORD_IS_WHOLE) {
    if (kind == RECORD_REPLY) return take_reply(journal, reply, record) ? JOURNAL_REPLY : JOURNAL_FAILED;
    if (kind != RECORD_CHECKPOINT || journal->at > journal->end) return JOURNAL_FAILED;
    if (journal->at < journal->end) continue;
    return start_writing(journal) ? JOURNAL_END : JOURNAL_FAILED;
  }
  return JOURNAL_FAILED;
}

/* ---- the whole ---- */

static struct journal *allocate(FILE *file, const char *path, const char *identity) {
  struct journal *journal = memory_allocate(sizeof *journal);
  journal->file = file;
  journal->path = memory_copy_string(path);
  journal->identity = memory_copy_string(identity);
  journal->checkpoint_at = journal->state_at = now_seconds();
  journal->seconds = FIRST_SECONDS;
  journal->state_seconds = STATE_SECONDS;
  return journal;
}

void journal_destroy(struct journal *journal) {
  if (!journal) return;
  fclose(journal->file);
  free(journal->path);
  free(journal->identity);
  free(journal->trouble);
  text_free(&journal->state);
  text_free(&journal->buffer);
  text_free(&journal->previous);
  free(journal);
}

static uint64_t header_check(const struct header *header, const char *identity) {
  return hash_bytes(identity, header->identity_bytes, hash_bytes(header, offsetof(struct header, check), 0));
}

static struct header make_header(const char *identity, bool has_state) {
  struct header header = {.magic = MAGIC,
                          .version = VERSION,
                          .protocol = HEDDLE_PROTOCOL_VERSION,
                          .identity_bytes = (uint32_t)strlen(identity),
                          .has_state = has_state};
  header.check = header_check(&header, identity);
  return header;
}

/* The first line in which the two differ. */
static bool differs(const char *path, const char *there, const char *here, struct error *error) {
  while (*there && *here) {
    const size_t a = strcspn(there, "\n"), b = strcspn(here, "\n");
    if (a != b || memcmp(there, here, a) != 0) break;
    there += a + (there[a] != 0);
    here += b + (here[b] != 0);
  }
  if (strncmp(there, JOURNAL_MAKER, strlen(JOURNAL_MAKER)) == 0)
    return error_set(error, "%s was written by another version of heddle: it has to be explored anew", path);
  return error_set(error, "%s is of another exploration: '%.*s' there, '%.*s' here; the same command goes on with it",
                   path, (int)strcspn(there, "\n"), there, (int)strcspn(here, "\n"), here);
}

static bool is_damaged(const struct journal *journal, struct error *error) {
  return error_set(error, "%s is damaged: it has to be explored anew", journal->path);
}

static bool read_header(struct journal *journal, uint64_t file_bytes, struct header *header, struct error *error) {
  const struct header mine = make_header(journal->identity, false);
  if (file_bytes < sizeof *header || fread(header, sizeof *header, 1, journal->file) != 1 ||
      memcmp(header->magic, mine.magic, sizeof mine.magic) != 0)
    return error_set(error, "%s is no exploration that heddle has saved", journal->path);
  if (header->version != mine.version || header->protocol != mine.protocol)
    return error_set(error, "%s was written by another version of heddle: it has to be explored anew", journal->path);
  if (header->identity_bytes > MOST_IDENTITY_BYTES || header->identity_bytes > file_bytes - sizeof *header)
    return is_damaged(journal, error);
  char *there = memory_allocate(header->identity_bytes + 1);
  bool good = fread(there, 1, header->identity_bytes, journal->file) == header->identity_bytes &&
              header->check == header_check(header, there);
  if (!good)
    is_damaged(journal, error);
  else if (strcmp(there, journal->identity) != 0)
    good = differs(journal->path, there, journal->identity, error);
  free(there);
  journal->at = sizeof *header + header->identity_bytes;
  return good;
}

/* Finds the last checkpoint. What was cut after it is no damage: heddle was killed while it wrote. */
static bool find_end(struct journal *journal, uint64_t file_bytes) {
  enum record_state state;
  uint32_t kind;
  journal->end = journal->at;
  while ((state = read_record(journal, file_bytes, &kind)) == RECORD_IS_WHOLE)
    if (kind == RECORD_CHECKPOINT) journal->end = journal->at;
  return state == RECORD_IS_CUT;
}

/* A state, and the checkpoint that was written with it. */
static bool read_state(struct journal *journal, uint64_t file_bytes) {
  const uint64_t start = journal->at;
  uint32_t kind = 0;
  if (read_record(journal, file_bytes, &kind) != RECORD_IS_WHOLE || kind != RECORD_STATE) return false;
  const struct text state = journal->buffer;
  journal->buffer = journal->state;
  journal->state = state;
  const uint64_t end = journal->at;
  journal->state_bytes = end - start;
  if (read_record(journal, file_bytes, &kind) != RECORD_IS_WHOLE || kind != RECORD_CHECKPOINT) return false;
  journal->at = end;
  return fseeko(journal->file, (off_t)end, SEEK_SET) == 0;
}

static bool start_reading(struct journal *journal, struct error *error) {
  struct header header;
  fseeko(journal->file, 0, SEEK_END);
  const off_t file_bytes = ftello(journal->file);
  rewind(journal->file);
  if (file_bytes < 0 || !read_header(journal, (uint64_t)file_bytes, &header, error)) return false;
  if (header.has_state && !read_state(journal, (uint64_t)file_bytes)) return is_damaged(journal, error);
  const uint64_t start = journal->at;
  if (!find_end(journal, (uint64_t)file_bytes)) return is_damaged(journal, error);
  journal->at = start;
  journal->bytes_since_state = journal->end - start;
  journal->is_reading = journal->end > start;
  if (journal->is_reading) return fseeko(journal->file, (off_t)start, SEEK_SET) == 0;
  return start_writing(journal) || error_set_errno(error, "cannot write %s", journal->path);
}

struct journal *journal_resume(const char *path, const char *identity, struct error *error) {
  FILE *file = fopen(path, "r+be");
  if (!file) {
    error_set_errno(error, "cannot open %s", path);
    return NULL;
  }
  struct journal *journal = allocate(file, path, identity);
  if (start_reading(journal, error)) return journal;
  journal_destroy(journal);
  return NULL;
}

/* ---- new files ---- */

/* A file beside the old one, with its header. */
static FILE *open_aside(const char *path, const char *identity, bool has_state, struct text *aside) {
  const struct header header = make_header(identity, has_state);
  text_append_format(aside, "%s.new", path);
  FILE *file = fopen(text_string(aside), "w+be");
  if (!file) return NULL;
  if (fwrite(&header, sizeof header, 1, file) == 1 && fputs(identity, file) >= 0) return file;
  fclose(file);
  return NULL;
}

/* It takes the place of the old one: whenever heddle is killed, there is one of the two. */
static bool put_in_place(FILE *file, const char *aside, const char *path) {
  return fflush(file) == 0 && fdatasync(fileno(file)) == 0 && rename(aside, path) == 0;
}

static FILE *create(const char *path, const char *identity, struct error *error) {
  struct text aside = {0};
  FILE *file = open_aside(path, identity, false, &aside);
  const bool good = file && put_in_place(file, text_string(&aside), path);
  if (!good) error_set_errno(error, "cannot write %s", path);
  if (!good && file) fclose(file);
  if (!good) unlink(text_string(&aside));
  text_free(&aside);
  return good ? file : NULL;
}

/* Is there nothing that belongs to somebody else? */
static bool may_replace(const char *path, const char *identity, struct error *error) {
  FILE *file = fopen(path, "rbe");
  if (!file && errno == ENOENT) return true;
  if (!file) return error_set_errno(error, "cannot open %s", path);
  struct journal *journal = allocate(file, path, identity);
  struct header header;
  fseeko(file, 0, SEEK_END);
  const off_t file_bytes = ftello(file);
  rewind(file);
  const bool good = read_header(journal, file_bytes < 0 ? 0 : (uint64_t)file_bytes, &header, error);
  journal_destroy(journal);
  return good;
}

struct journal *journal_create(const char *path, const char *identity, struct error *error) {
  if (!may_replace(path, identity, error)) return NULL;
  FILE *file = create(path, identity, error);
  return file ? allocate(file, path, identity) : NULL;
}

/* ---- states ---- */

const struct text *journal_state(const struct journal *journal) {
  return journal->state_bytes > 0 && journal->is_reading ? &journal->state : NULL;
}

bool journal_state_is_due(const struct journal *journal) {
  const uint64_t twice = 2 * journal->state_bytes, most = twice > MOST_REPLY_BYTES ? twice : MOST_REPLY_BYTES;
  if (journal->trouble || journal->is_reading || journal->bytes_since_state == 0) return false;
  return journal->bytes_since_state > most || now_seconds() - journal->state_at > journal->state_seconds;
}

void journal_set_state_seconds(struct journal *journal, double seconds) {
  journal->state_seconds = seconds;
}

/* A file that cannot be written leaves the old one as it was, and that is continued. */
void journal_write_state(struct journal *journal, const struct text *state) {
  struct text aside = {0};
  FILE *const old = journal->file, *const file = open_aside(journal->path, journal->identity, true, &aside);
  if (file) {
    journal->file = file;
    text_clear(&journal->buffer);
    text_append_bytes(&journal->buffer, state->string, state->length);
    write_record(journal, RECORD_STATE);
    write_rest(journal);
  }
  if (!file || !put_in_place(file, text_string(&aside), journal->path)) write_failed(journal);
  if (journal->trouble) {
    journal->file = old;
    if (file) fclose(file);
    unlink(text_string(&aside));
  } else {
    fclose(old);
  }
  text_free(&aside);
  text_clear(&journal->previous);
  journal->state_bytes = state->length;
  journal->bytes_since_state = 0;
  journal->checkpoint_at = journal->state_at = now_seconds();
}
