/* SPDX-License-Identifier: MIT
 *
 * Names and sentences for what a trace contains: threads, places, objects, failures. The same run gives the same words.
 */
#ifndef HEDDLE_REPORT_DESCRIBE_H
#define HEDDLE_REPORT_DESCRIBE_H

#include "abi/channel.h"
#include "base/text.h"
#include "program/program.h"
#include "trace/trace.h"

/* Where the names come from. */
struct scene {
  const struct program *program;
  const struct knowledge *knowledge;
  const struct trace_view *trace;
};

/* "main", "t2" for main's second thread, "t2.1" for the first one of that. */
void describe_thread(struct text *text, const struct knowledge *knowledge, thread_id thread);
/* The function that a thread starts in, "" when unknown. */
const char *thread_start_routine(const struct scene *scene, thread_id thread);
/* "file.c:12", or "an unknown place". */
void describe_place(struct text *text, struct place place);
/* "counter", "savings.mutex", "buffer+8", "heap block 3 of t1 (+16), allocated at f.c:12", "local variable x of main".
 */
void describe_object(struct text *text, const struct scene *scene, uint64_t address, site_id site);
/* The same in few words, for tables. */
void describe_object_briefly(struct text *text, const struct scene *scene, uint64_t address, site_id site);
/* What an event is about, as briefly: "savings.mutex", "table[3]", "node->next #4" in the fourth heap block of main. */
void describe_operand(struct text *text, const struct scene *scene, const struct event *event);
bool describes_file(const struct event *event); /* an operation on a file, which is an access of its word */
/* A space and what the event is about; nothing where it is about nothing. */
void describe_subject(struct text *text, const struct scene *scene, const struct event *event);
/* An operation with what it is about: "lock savings.mutex", "join thread t1", "end of the run". */
void describe_operation(struct text *text, const struct scene *scene, const struct event *event);
/* The value with names for addresses: "&savings", "#4". */
void describe_value_in(struct text *text, const struct scene *scene, const struct event *event);
void describe_value(struct text *text, const struct event *event);
/* How the run ended, in a few words. */
void describe_outcome(struct text *text, const struct trace *record);
/* One sentence that says how the run failed. */
void describe_failure(struct text *text, const struct scene *scene);
/* The same for a terminal: threads that wait stand on lines of their own. */
void describe_failure_in_lines(struct text *text, const struct scene *scene);
/* Where a thread stood when the run ended. */
struct place pending_place(const struct program *program, const struct pending *pending);
/* Where it failed. */
struct place failure_place(const struct scene *scene);
/* Which threads are part of it, in the order of their ids. */
typedef VECTOR(thread_id) thread_list;
void failure_threads(const struct scene *scene, thread_list *threads);

#endif
