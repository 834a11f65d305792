/* SPDX-License-Identifier: MIT
 *
 * Of the knowledge, pieces are written that differ from what was written last (`image`). While reading, `image` is what
 * the KNOWLEDGE records up to here say.
 *
 * Names of threads are only ever added. A reply that came while others were under way may be of a run with a thread
 * that no KNOWLEDGE record before it names, so all names of the last checkpoint are known from the beginning.
 */
#include "explore/executor/journal.h"

#include "base/number_set.h"
#include "explore/executor/knowledge.h"
#include "trace/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "heddle exploration\n"
#define VERSION 1u
/* A checkpoint takes some milliseconds. */
#define FIRST_SECONDS 0.05
#define MOST_SECONDS 0.5
#define PIECE_BYTES 512u
#define MOST_IDENTITY_BYTES (1u << 20)

struct header {
  char magic[24];
  uint32_t version, protocol, knowledge_bytes, identity_bytes;
};

enum record_kind { RECORD_KNOWLEDGE = 1, RECORD_REPLY, RECORD_CHECKPOINT };

struct record_head {
  uint32_t kind, size_bytes; /* of what follows */
  uint64_t check;
};

/* A piece of the knowledge; its bytes follow. The last one may be shorter. */
struct piece {
  uint32_t number, size_bytes;
};

struct journal {
  FILE *file;
  struct knowledge *image;  /* see above */
  struct knowledge *latest; /* at the last checkpoint; only the names of threads are used */
  struct text buffer;       /* the record that is read or written */
  uint64_t at, end;         /* while reading: the next record, and behind the last checkpoint */
  bool is_reading;
  bool has_grown;                /* something is shared that `image` does not say */
  double checkpoint_at, seconds; /* the last one, and how long until the next */
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
  uint64_t hash = hash_bytes(&head, sizeof head, 1);
  hash = hash_bytes(plan_steps(plan), plan->n_steps * sizeof(struct step),
                    hash); /* what fills up to 8 bytes is left out */
  hash = hash_bytes(plan_inputs(plan), plan->n_inputs * sizeof(struct input_value), hash);
  return hash_bytes(plan_sleepers(plan), plan->n_sleepers * sizeof(struct event), hash);
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

static void write_record(struct journal *journal, enum record_kind kind) {
  const struct text *buffer = &journal->buffer;
  const struct record_head head = {kind, (uint32_t)buffer->length, hash_bytes(buffer->string, buffer->length, kind)};
  if (journal->trouble) return;
  if (buffer->length > UINT32_MAX) {
    journal_give_up(journal, "a record is too long");
    return;
  }
  if (fwrite(&head, sizeof head, 1, journal->file) == 1 &&
      (buffer->length == 0 || fwrite(buffer->string, buffer->length, 1, journal->file) == 1))
    return;
  write_failed(journal);
}

static uint32_t piece_bytes(uint32_t number) {
  const size_t at = (size_t)number * PIECE_BYTES, left = sizeof(struct knowledge) - at;
  return (uint32_t)(left < PIECE_BYTES ? left : PIECE_BYTES);
}

static void write_knowledge(struct journal *journal, const struct knowledge *knowledge) {
  const uint32_t n_pieces = (uint32_t)((sizeof *knowledge + PIECE_BYTES - 1) / PIECE_BYTES);
  text_clear(&journal->buffer);
  for (uint32_t i = 0; i < n_pieces; i++) {
    const struct piece piece = {i, piece_bytes(i)};
    char *const old = (char *)journal->image + (size_t)i * PIECE_BYTES;
    const char *const new = (const char *)knowledge + (size_t)i *PIECE_BYTES;
    if (memcmp(old, new, piece.size_bytes) == 0) continue;
    memcpy(old, new, piece.size_bytes);
    text_append_bytes(&journal->buffer, &piece, sizeof piece);
    text_append_bytes(&journal->buffer, new, piece.size_bytes);
  }
  write_record(journal, RECORD_KNOWLEDGE);
  journal->has_grown = false;
}

static bool has_news(const struct journal *journal, const struct knowledge *knowledge) {
  return journal->has_grown || knowledge_shared(knowledge) != knowledge_shared(journal->image) ||
         knowledge_threads(knowledge) != knowledge_threads(journal->image);
}

/* What something has written over must not come back as if it were sound. */
static bool may_write(struct journal *journal, const struct knowledge *knowledge) {
  if (!journal->trouble && !knowledge_is_sound(knowledge))
    journal_give_up(journal, "something has written over what heddle keeps beside the program");
  return !journal->trouble;
}

void journal_write_reply(struct journal *journal, const struct journal_reply *reply, const struct text *record,
                         const struct knowledge *knowledge) {
  const struct trace *trace = (const struct trace *)record->string;
  if (journal->trouble) return;
  journal->has_grown |= (trace->flags & TRACE_SHARED_GREW) != 0;
  if (knowledge && has_news(journal, knowledge)) {
    if (!may_write(journal, knowledge)) return;
    write_knowledge(journal, knowledge);
  }
  text_clear(&journal->buffer);
  text_append_bytes(&journal->buffer, reply, sizeof *reply);
  text_append_bytes(&journal->buffer, record->string, record->length);
  write_record(journal, RECORD_REPLY);
}

bool journal_is_due(const struct journal *journal) {
  return !journal->trouble && !journal->is_reading && now_seconds() - journal->checkpoint_at > journal->seconds;
}

void journal_write_checkpoint(struct journal *journal, const struct knowledge *knowledge, const uint8_t *coverage,
                              uint32_t coverage_bytes) {
  if (!may_write(journal, knowledge)) return;
  write_knowledge(journal, knowledge);
  text_clear(&journal->buffer);
  text_append_bytes(&journal->buffer, coverage, coverage_bytes);
  write_record(journal, RECORD_CHECKPOINT);
  if (fflush(journal->file) != 0) write_failed(journal);
  journal->checkpoint_at = now_seconds();
  journal->seconds = 2 * journal->seconds < MOST_SECONDS ? 2 * journal->seconds : MOST_SECONDS;
}

/* ---- reading ---- */

/* The record at `journal->at`, which is then behind it. False: there is none that is whole. */
static bool read_record(struct journal *journal, uint64_t file_bytes, uint32_t *kind) {
  struct record_head head;
  if (file_bytes - journal->at < sizeof head || fread(&head, sizeof head, 1, journal->file) != 1) return false;
  if (head.size_bytes > file_bytes - journal->at - sizeof head) return false;
  text_clear(&journal->buffer);
  while (journal->buffer.length < head.size_bytes) {
    char bytes[1 << 16];
    const size_t left = head.size_bytes - journal->buffer.length, count = left < sizeof bytes ? left : sizeof bytes;
    if (fread(bytes, 1, count, journal->file) != count) return false;
    text_append_bytes(&journal->buffer, bytes, count);
  }
  if (head.check != hash_bytes(text_string(&journal->buffer), head.size_bytes, head.kind)) return false;
  journal->at += sizeof head + head.size_bytes;
  *kind = head.kind;
  return true;
}

/* Brings the image up to date. */
static bool apply_knowledge(struct journal *journal) {
  const char *at = text_string(&journal->buffer), *const end = at + journal->buffer.length;
  while (at < end) {
    struct piece piece;
    if ((size_t)(end - at) < sizeof piece) return false;
    memcpy(&piece, at, sizeof piece);
    at += sizeof piece;
    if ((uint64_t)piece.number * PIECE_BYTES >= sizeof(struct knowledge) ||
        piece.size_bytes != piece_bytes(piece.number) || (size_t)(end - at) < piece.size_bytes)
      return false;
    memcpy((char *)journal->image + (size_t)piece.number * PIECE_BYTES, at, piece.size_bytes);
    at += piece.size_bytes;
  }
  return true;
}

static void give_knowledge(const struct journal *journal, struct knowledge *knowledge) {
  memcpy(knowledge, journal->image, sizeof *knowledge);
  knowledge_copy_threads(knowledge, journal->latest);
  knowledge_seal(knowledge);
}

static bool take_reply(struct journal *journal, struct journal_reply *reply, struct text *record) {
  if (journal->buffer.length <= sizeof *reply) return false;
  memcpy(reply, journal->buffer.string, sizeof *reply);
  text_clear(record);
  text_append_bytes(record, journal->buffer.string + sizeof *reply, journal->buffer.length - sizeof *reply);
  return true;
}

/* What comes after the last checkpoint goes. */
static bool start_writing(struct journal *journal) {
  journal->is_reading = false;
  journal->checkpoint_at = now_seconds();
  return fseeko(journal->file, (off_t)journal->end, SEEK_SET) == 0 &&
         ftruncate(fileno(journal->file), (off_t)journal->end) == 0;
}

static enum journal_entry end_reading(struct journal *journal, struct knowledge *knowledge, uint8_t *coverage,
                                      uint32_t coverage_bytes) {
  if (journal->buffer.length != coverage_bytes || !start_writing(journal)) return JOURNAL_FAILED;
  memcpy(knowledge, journal->image, sizeof *knowledge);
  for (uint32_t i = 0; i < coverage_bytes; i++) coverage[i] |= journal->buffer.string[i] & 1;
  return knowledge_is_sound(knowledge) ? JOURNAL_END : JOURNAL_FAILED;
}

bool journal_is_reading(const struct journal *journal) {
  return journal->is_reading;
}

enum journal_entry journal_read(struct journal *journal, struct journal_reply *reply, struct text *record,
                                struct knowledge *knowledge, uint8_t *coverage, uint32_t coverage_bytes) {
  uint32_t kind;
  bool is_new = false;
  while (read_record(journal, journal->end, &kind)) {
    if (kind == RECORD_KNOWLEDGE) {
      if (!apply_knowledge(journal)) return JOURNAL_FAILED;
      is_new = true;
    } else if (kind == RECORD_REPLY) {
      if (is_new) give_knowledge(journal, knowledge);
      return take_reply(journal, reply, record) ? JOURNAL_REPLY : JOURNAL_FAILED;
    } else if (kind == RECORD_CHECKPOINT && journal->at == journal->end) {
      return end_reading(journal, knowledge, coverage, coverage_bytes);
    } else if (kind != RECORD_CHECKPOINT) {
      return JOURNAL_FAILED;
    }
  }
  return JOURNAL_FAILED;
}

/* ---- the whole ---- */

static struct journal *allocate(FILE *file) {
  struct journal *journal = memory_allocate(sizeof *journal);
  journal->file = file;
  journal->image = memory_allocate(sizeof *journal->image);
  journal->latest = memory_allocate(sizeof *journal->latest);
  journal->checkpoint_at = now_seconds();
  journal->seconds = FIRST_SECONDS;
  return journal;
}

void journal_destroy(struct journal *journal) {
  if (!journal) return;
  fclose(journal->file);
  free(journal->image);
  free(journal->latest);
  free(journal->trouble);
  text_free(&journal->buffer);
  free(journal);
}

static struct header make_header(const char *identity) {
  return (struct header){.magic = MAGIC,
                         .version = VERSION,
                         .protocol = HEDDLE_PROTOCOL_VERSION,
                         .knowledge_bytes = sizeof(struct knowledge),
                         .identity_bytes = (uint32_t)strlen(identity)};
}

struct journal *journal_create(const char *path, const char *identity, struct error *error) {
  const struct header header = make_header(identity);
  FILE *file = fopen(path, "w+be");
  if (!file) {
    error_set_errno(error, "cannot write %s", path);
    return NULL;
  }
  if (fwrite(&header, sizeof header, 1, file) == 1 && fputs(identity, file) >= 0 && fflush(file) == 0)
    return allocate(file);
  error_set_errno(error, "cannot write %s", path);
  fclose(file);
  return NULL;
}

/* The first line in which the two differ. */
static bool differs(const char *path, const char *there, const char *here, struct error *error) {
  while (*there && *here) {
    const size_t a = strcspn(there, "\n"), b = strcspn(here, "\n");
    if (a != b || memcmp(there, here, a) != 0) break;
    there += a + (there[a] != 0);
    here += b + (here[b] != 0);
  }
  return error_set(error, "%s is of another exploration: '%.*s' there, '%.*s' here; the same command goes on with it",
                   path, (int)strcspn(there, "\n"), there, (int)strcspn(here, "\n"), here);
}

static bool read_header(struct journal *journal, const char *path, const char *identity, uint64_t file_bytes,
                        struct error *error) {
  const struct header mine = make_header(identity);
  struct header header;
  if (file_bytes < sizeof header || fread(&header, sizeof header, 1, journal->file) != 1 ||
      memcmp(header.magic, mine.magic, sizeof mine.magic) != 0)
    return error_set(error, "%s is no exploration that heddle has saved", path);
  if (header.version != mine.version || header.protocol != mine.protocol ||
      header.knowledge_bytes != mine.knowledge_bytes)
    return error_set(error, "%s was written by another version of heddle: it has to be explored anew", path);
  if (header.identity_bytes > MOST_IDENTITY_BYTES || header.identity_bytes > file_bytes - sizeof header)
    return error_set(error, "%s is damaged: it has to be explored anew", path);
  char *there = memory_allocate(header.identity_bytes + 1);
  const bool good = fread(there, 1, header.identity_bytes, journal->file) == header.identity_bytes;
  const bool is_same = good && strcmp(there, identity) == 0;
  if (good && !is_same) differs(path, there, identity, error);
  if (!good) error_set(error, "%s is damaged: it has to be explored anew", path);
  free(there);
  journal->at = sizeof header + header.identity_bytes;
  return is_same;
}

/* Finds the last checkpoint, and what was known there. */
static void find_end(struct journal *journal, uint64_t file_bytes) {
  uint32_t kind;
  journal->end = journal->at;
  while (read_record(journal, file_bytes, &kind)) {
    if (kind == RECORD_KNOWLEDGE && !apply_knowledge(journal)) return;
    if (kind != RECORD_CHECKPOINT) continue;
    journal->end = journal->at;
    knowledge_copy_threads(journal->latest, journal->image);
  }
}

static bool start_reading(struct journal *journal, const char *path, const char *identity, struct error *error) {
  fseeko(journal->file, 0, SEEK_END);
  const off_t file_bytes = ftello(journal->file);
  rewind(journal->file);
  if (file_bytes < 0 || !read_header(journal, path, identity, (uint64_t)file_bytes, error)) return false;
  const uint64_t start = journal->at;
  find_end(journal, (uint64_t)file_bytes);
  memset(journal->image, 0, sizeof *journal->image);
  journal->at = start;
  journal->is_reading = journal->end > start;
  if (journal->is_reading) return fseeko(journal->file, (off_t)start, SEEK_SET) == 0;
  return start_writing(journal) || error_set_errno(error, "cannot write %s", path);
}

struct journal *journal_resume(const char *path, const char *identity, struct error *error) {
  FILE *file = fopen(path, "r+be");
  if (!file) {
    error_set_errno(error, "cannot open %s", path);
    return NULL;
  }
  struct journal *journal = allocate(file);
  if (start_reading(journal, path, identity, error)) return journal;
  journal_destroy(journal);
  return NULL;
}
