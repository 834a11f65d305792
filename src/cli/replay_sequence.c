/* SPDX-License-Identifier: MIT
 *
 * heddle replay --sequence FILE PROGRAM: does the program allow a SYN-sequence that the user wrote down? Exit status: 0
 * it does, 1 it does not (where it departs is printed), 2 usage or a bad file.
 *
 * Every line of the file is an operation, in an order in which they are to be completed:
 *
 *     THREAD: OPERATION [OBJECT] [from THREAD]
 *
 * with the names that reports use, as in "t1: semaphore wait forks[0]" or "t2: receive port from t1". Text after #
 * is a comment. Accesses of memory, and operations that give back what a thread has (unlock, leave, wait), need not be
 * written: they are done when a thread whose turn it is comes to them, or others have to wait for them.
 *
 * The run is repeated, with one step more each time, and stops there: then all threads stand before an operation.
 */
#include "base/files.h"
#include "cli/commands.h"
#include "cli/replay_program.h"
#include "cli/settings.h"
#include "report/describe.h"
#include "trace/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEARNING_RUNS 20
#define MOST_ALTERNATIVES 64
#define NOBODY 0xfffeu /* no thread: a plan stops in front of its step */

enum { STATUS_ALLOWED, STATUS_DEPARTS };

struct line {
  unsigned number;
  char *thread, *object, *from; /* the last two may be NULL */
  uint32_t kind;
  thread_id id, from_id;
};

struct replay {
  struct executor *executor;
  const struct program *program;
  const char *path; /* of the sequence */
  VECTOR(struct line) lines;
  struct schedule steps;
  struct reply reply; /* of the last run */
};

/* ---- reading ---- */

static char *trim(char *text) {
  text += strspn(text, " \t\r");
  size_t length = strlen(text);
  while (length > 0 && strchr(" \t\r", text[length - 1])) length--;
  text[length] = 0;
  return text;
}

/* The kind whose words the text begins with, the longest; EVENT_NONE: there is none. */
static uint32_t find_kind(const char *text, size_t *length) {
  uint32_t found = EVENT_NONE;
  *length = 0;
  for (uint32_t kind = EVENT_NONE + 1; kind < EVENT_KINDS; kind++) {
    const size_t n = strlen(event_row(kind)->words);
    const bool fits = strncmp(text, event_row(kind)->words, n) == 0 && (text[n] == 0 || text[n] == ' ');
    if (!event_row(kind)->visible || !fits || n <= *length) continue;
    found = kind;
    *length = n;
  }
  return found;
}

static bool parse_line(struct line *line, char *text, const char *path, struct error *error) {
  char *colon = strchr(text, ':');
  size_t length;
  if (!colon) return error_set(error, "%s:%u: expected 'THREAD: OPERATION [OBJECT] [from THREAD]'", path, line->number);
  *colon = 0;
  char *rest = trim(colon + 1);
  line->kind = find_kind(rest, &length);
  if (!line->kind)
    return error_set(error, "%s:%u: expected an operation, such as 'lock', 'semaphore wait', 'P', 'enter', 'receive'",
                     path, line->number);
  rest = trim(rest + length);
  char *from = strncmp(rest, "from ", 5) == 0 ? rest : strstr(rest, " from ");
  if (from) {
    line->from = memory_copy_string(trim(strstr(from, "from ") + 5));
    *from = 0;
  }
  if (from && !*line->from) return error_set(error, "%s:%u: expected a thread after 'from'", path, line->number);
  line->thread = memory_copy_string(trim(text));
  if (*trim(rest)) line->object = memory_copy_string(trim(rest));
  return true;
}

static void free_line(struct line *line) {
  free(line->thread);
  free(line->object);
  free(line->from);
}

static bool parse(struct replay *self, const char *path, struct error *error) {
  struct text contents = {0};
  if (!files_read(path, &contents, error)) return false;
  unsigned number = 0;
  bool good = true;
  for (char *text = contents.string, *next; text && good; text = next) {
    next = strchr(text, '\n');
    if (next) *next++ = 0;
    number++;
    if (strchr(text, '#')) *strchr(text, '#') = 0;
    if (!*trim(text)) continue;
    struct line line = {.number = number};
    good = parse_line(&line, trim(text), path, error);
    vector_push(&self->lines, line);
  }
  text_free(&contents);
  if (good && self->lines.count == 0) good = error_set(error, "%s: expected at least one operation", path);
  return good;
}

/* ---- runs ---- */

static struct scene scene_of(const struct replay *self) {
  return (struct scene){self->program, executor_knowledge(self->executor), &self->reply.trace};
}

static bool run(struct replay *self, const struct plan *plan, struct error *error) {
  executor_submit(self->executor, plan, self->steps.items, self->steps.count, NULL, 0);
  return executor_finish_plan(self->executor, &self->reply, error);
}

/* What is shared has to be known before steps mean something. */
static bool learn(struct replay *self, struct error *error) {
  self->steps.count = 0;
  for (uint64_t i = 0; i < LEARNING_RUNS; i++) {
    const struct plan plan = {.flags = PLAN_PUBLISH_ALL, .seed = i + 1, .runs = 1, .policy = POLICY_RANDOM};
    if (!run(self, &plan, error)) return false;
  }
  return true;
}

/* The steps so far, and then nothing. */
static bool stop_behind(struct replay *self, struct error *error) {
  const struct plan plan = {.flags = PLAN_MAY_STOP, .runs = 1, .policy = POLICY_CONTINUE};
  const struct step nobody = {NOBODY, 0};
  schedule_append(&self->steps, &nobody, 1);
  const bool good = run(self, &plan, error);
  self->steps.count--;
  return good;
}

static bool came_there(const struct replay *self) {
  return self->reply.trace.record->outcome == OUTCOME_SLEEP_BLOCKED &&
         self->reply.trace.record->n_steps == self->steps.count;
}

static const struct event *last_step(const struct replay *self) {
  const struct trace_view *trace = &self->reply.trace;
  for (uint32_t i = trace->record->n_events; i-- > 0;)
    if (event_is_step(&trace->events[i])) return &trace->events[i];
  return NULL;
}

static const struct pending *pending_of(const struct replay *self, thread_id thread) {
  const struct trace_view *trace = &self->reply.trace;
  for (uint32_t i = 0; i < trace->record->n_pending; i++)
    if (trace->pendings[i].thread == thread) return &trace->pendings[i];
  return NULL;
}

/* ---- following ---- */

/* A sequence does not say it: giving back a lock, waiting, accesses of memory, allocations. */
static bool is_silent(uint8_t kind) {
  switch (kind_effect(kind)) {
  case EFFECT_GIVES:
  case EFFECT_UNSHARES:
  case EFFECT_WAITS:
  case EFFECT_SIGNALS_AND_GIVES: return true;
  default: return kind_class(kind) == CLASS_MEMORY || kind == EVENT_ALLOCATION;
  }
}

static bool names(const struct replay *self, thread_id thread, const char *name) {
  struct text text = {0};
  describe_thread(&text, executor_knowledge(self->executor), thread);
  const bool same = strcmp(text_string(&text), name) == 0;
  text_free(&text);
  return same;
}

static bool find_thread(const struct replay *self, const char *path, unsigned line, const char *name, thread_id *id,
                        struct error *error) {
  const uint32_t n_threads = executor_knowledge(self->executor)->n_threads;
  struct text text = {0};
  for (uint32_t i = 0; i < n_threads && i < HEDDLE_MAX_THREADS; i++)
    if (names(self, (thread_id)i, name)) {
      *id = (thread_id)i;
      return true;
    }
  for (uint32_t i = 0; i < n_threads && i < 8; i++) {
    if (i > 0) text_append(&text, ", ");
    describe_thread(&text, executor_knowledge(self->executor), (thread_id)i);
  }
  error_set(error, "%s:%u: there is no thread %s; expected one of %s", path, line, name, text_string(&text));
  text_free(&text);
  return false;
}

static bool find_threads(struct replay *self, const char *path, struct error *error) {
  for (size_t i = 0; i < self->lines.count; i++) {
    struct line *line = &self->lines.items[i];
    if (!find_thread(self, path, line->number, line->thread, &line->id, error)) return false;
    if (line->from && !find_thread(self, path, line->number, line->from, &line->from_id, error)) return false;
  }
  return true;
}

static bool is_object(const struct replay *self, const struct event *event, const char *name) {
  const struct scene scene = scene_of(self);
  struct text text = {0};
  describe_operand(&text, &scene, event);
  const bool same = strcmp(text_string(&text), name) == 0;
  text_free(&text);
  return same;
}

static bool fits(const struct replay *self, const struct line *line, const struct event *event) {
  if (event->kind != line->kind) return false;
  if (line->object && !is_object(self, event, line->object)) return false;
  return !line->from || message_sender(event->value) == line->from_id;
}

enum progress { PROGRESS_LINE, PROGRESS_STEP, PROGRESS_NONE, PROGRESS_FAILED };

static void depart(const struct replay *self, const struct line *line, const char *what, const struct event *event) {
  const struct scene scene = scene_of(self);
  struct text text = {0};
  if (event) describe_operation(&text, &scene, event);
  printf("not allowed: line %u: %s %s%s\n", line->number, line->thread, what, text_string(&text));
  text_free(&text);
}

/* The thread's next step, with one of its alternatives. */
static enum progress take(struct replay *self, const struct line *line, struct error *error) {
  enum progress progress = PROGRESS_NONE;
  struct event event = {0};
  for (uint16_t i = 0; i < MOST_ALTERNATIVES && progress == PROGRESS_NONE; i++) {
    const struct step step = {line->id, i};
    schedule_append(&self->steps, &step, 1);
    if (!stop_behind(self, error)) return PROGRESS_FAILED;
    const struct event *last = last_step(self);
    const bool is_there = last && self->reply.trace.record->n_steps >= self->steps.count;
    if (is_there) event = *last;
    if (is_there && fits(self, line, last)) progress = PROGRESS_LINE;
    if (is_there && progress == PROGRESS_NONE && is_silent(last->kind)) progress = PROGRESS_STEP;
    if (progress == PROGRESS_NONE) self->steps.count--;
    if (!is_there || i + 1 >= last->alternatives) break;
  }
  if (progress == PROGRESS_NONE) depart(self, line, "comes to ", event.kind ? &event : NULL);
  return progress;
}

/* Another thread does what need not be written, so that this one can continue. */
static bool let_another_go(struct replay *self, thread_id thread) {
  const struct trace_view *trace = &self->reply.trace;
  for (uint32_t i = 0; i < trace->record->n_pending; i++) {
    const struct pending *pending = &trace->pendings[i];
    if (pending->thread == thread || pending->blocked || !pending->kind || !is_silent(pending->kind)) continue;
    const struct step step = {pending->thread, 0};
    schedule_append(&self->steps, &step, 1);
    return true;
  }
  return false;
}

static enum progress follow(struct replay *self, const struct line *line, struct error *error) {
  if (!stop_behind(self, error)) return PROGRESS_FAILED;
  const struct pending *pending = pending_of(self, line->id);
  if (!came_there(self)) {
    depart(self, line, "does not get there: the run has ended", NULL);
    return PROGRESS_NONE;
  }
  if (pending && !pending->blocked) return take(self, line, error);
  if (let_another_go(self, line->id)) return PROGRESS_STEP;
  const struct event event = pending ? (struct event){.kind = pending->kind,
                                                      .object = pending->object,
                                                      .site = pending->site,
                                                      .size = pending->size}
                                     : (struct event){0};
  depart(self, line, pending ? "has to wait: " : "does not exist, or has ended", pending ? &event : NULL);
  return PROGRESS_NONE;
}

static int follow_all(struct replay *self, struct error *error) {
  self->steps.count = 0;
  for (size_t i = 0; i < self->lines.count;) {
    const enum progress progress = follow(self, &self->lines.items[i], error);
    if (progress == PROGRESS_FAILED) return replay_complain(error);
    if (progress == PROGRESS_NONE) return STATUS_DEPARTS;
    i += progress == PROGRESS_LINE;
  }
  const struct plan plan = {.flags = PLAN_PUBLISH_ALL, .runs = 1, .policy = POLICY_CONTINUE};
  if (!run(self, &plan, error)) return replay_complain(error);
  printf("allowed: %zu operation%s; then %s\n", self->lines.count, self->lines.count == 1 ? "" : "s",
         outcome_row(self->reply.trace.record->outcome)->words);
  return STATUS_ALLOWED;
}

/* ---- from the command line ---- */

static int replay(void *context, const struct executor_settings *settings, const struct program *program) {
  struct replay *self = context;
  struct error error = {0};
  self->program = program;
  self->executor = executor_create(settings, &error);
  if (!self->executor) return replay_complain(&error);
  const bool good = learn(self, &error) && find_threads(self, self->path, &error);
  const int status = good ? follow_all(self, &error) : replay_complain(&error);
  executor_destroy(self->executor);
  return status;
}

int replay_sequence_main(int argc, char **argv) {
  struct options options;
  struct explore_settings settings;
  struct replay self = {0};
  struct error error = {0};
  const char *file = replay_take_file(&argc, argv, "--sequence");
  if (!file || !*file) {
    error_set(&error, "--sequence needs a file: heddle replay --sequence FILE PROGRAM [-- arguments]");
    return replay_complain(&error);
  }
  self.path = file;
  if (!options_parse(&options, argc, argv, &error)) return replay_complain(&error);
  int status = STATUS_USAGE;
  if (settings_make(&settings, &options, NULL, &error) && parse(&self, file, &error))
    status = replay_program(&options, &settings, replay, &self);
  else
    replay_complain(&error);
  settings_free(&settings);
  for (size_t i = 0; i < self.lines.count; i++) free_line(&self.lines.items[i]);
  vector_free(&self.lines);
  vector_free(&self.steps);
  options_free(&options);
  return status;
}
