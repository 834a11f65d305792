/* SPDX-License-Identifier: MIT
 *
 * An unfolding as a value with names in it: what `heddle run --unfolding FILE` writes, as JSON or for graphviz, and
 * what `heddle query` reads back. docs/query.md describes the file.
 *
 * Events and conditions have the numbers 1, 2, ... in the order of the lists; event 0 is the beginning of the run. An
 * event's causes are `previous`, the events that made the conditions it reads and consumes, and `after`. A condition is
 * consumed at most once in a run. In an ordinary unfolding a run with an event that reads a condition and one that
 * consumes it has the first among the causes of the second; in a contextual one it only comes before it.
 */
#ifndef HEDDLE_STRUCTURE_STRUCTURE_H
#define HEDDLE_STRUCTURE_STRUCTURE_H

#include "abi/channel.h"
#include "base/error.h"
#include "base/id_index.h"
#include "explore/executor/executor.h"
#include "expr/term.h"
#include "program/program.h"

#define STRUCTURE_FORMAT "heddle-unfolding-1"

/* Numbers in structure.ids, or entries of another list. */
struct structure_slice {
  uint32_t first, count;
};

struct structure_thread {
  const char *name;
  struct thread_name identity;
};

struct structure_object {
  const char *name, *kind; /* "variable", "mutex", ... */
  uint64_t address;
  uint32_t size; /* in bytes; only of variables */
  bool is_signed;
};

/* What a thread stands before; words is "" when it is not known, or when the thread continues at once. */
struct structure_operation {
  const char *words;
  struct place place;
  thread_id joins; /* the thread it waits for the end of, NO_THREAD: none */
};

struct structure_event {
  uint32_t previous; /* of the same thread; the one that created it for a thread's first */
  thread_id thread;
  uint16_t alternative;
  bool is_step;             /* of the schedule; otherwise it happens as soon as it can */
  const char *kind, *words; /* the operation; the same with what it is about */
  struct place place;
  struct structure_slice reads, consumes, produces, after;
  term_id constraint;              /* on inputs: holds if the thread comes here from `previous`; 0: for all */
  bool ends_run;                   /* the run failed after it, before the thread came to another operation */
  struct structure_operation next; /* what the thread does next */
  struct structure_slice tail;     /* of structure.tails: all it does after it, waiting in joins, and then its end */
};

struct structure_condition {
  uint32_t object; /* from 1; 0: none in particular */
  uint32_t event;  /* that made it */
  bool is_known;
  uint64_t value; /* of the variable from there on */
  term_id term;   /* the same as a term over inputs, 0: the value is the same for all */
};

/* Work that is left: an event that can happen and that no run has shown. */
struct structure_left {
  uint32_t previous;
  thread_id thread;
  const char *words;
  struct place place;
};

struct structure_input {
  const char *name;
  thread_id thread;
  uint32_t index; /* among the inputs of the thread */
};

/* How to run the program again; strings as in struct executor_settings. */
struct structure_program {
  const char *executable; /* beside the file, or an absolute path */
  uint64_t hash;
  VECTOR(const char *) arguments; /* ends with NULL */
  struct executor_settings settings;
};

struct structure {
  const char *strategy;
  bool is_contextual, is_complete;
  struct structure_program program;
  VECTOR(struct structure_thread) threads;
  VECTOR(struct shared_granule) shared;
  VECTOR(struct structure_object) objects;
  VECTOR(struct structure_event) events;
  VECTOR(struct structure_condition) conditions;
  VECTOR(struct structure_operation) tails;
  VECTOR(struct structure_left) left;
  VECTOR(struct structure_input) inputs; /* input i of `terms` */
  VECTOR(uint32_t) ids;
  struct terms *terms; /* over the inputs; NULL: none */
  bool owns_terms;
  VECTOR(char *) strings;       /* owned: all that the others point to */
  struct id_index string_index; /* 1 + the number of a string */
};

/* Zeroed is empty. */
void structure_free(struct structure *structure);
/* A copy that lives as long as the structure; equal strings are one. */
const char *structure_string(struct structure *structure, const char *string);

/* The causes of an event, without the beginning; may contain doubles. */
typedef VECTOR(uint32_t) event_numbers;
void structure_append_causes(const struct structure *structure, const struct structure_event *event,
                             event_numbers *causes);

/* Does the thread end with it? */
bool structure_ends_thread(const struct structure_event *event);
/* The objects, by number from 1, that have values of at most 64 bits. */
typedef VECTOR(uint32_t) object_numbers;
void structure_append_variables(const struct structure *structure, object_numbers *objects);

void structure_append_json(const struct structure *structure, struct text *json);
void structure_append_dot(const struct structure *structure, struct text *dot);
/* False: it is not such a file; the error names it. */
bool structure_read(struct structure *structure, const char *path, struct error *error);

#endif
