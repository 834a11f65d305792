/* SPDX-License-Identifier: MIT
 *
 * The lines of a run as `heddle show` prints it, before they are laid out: what each event did, which of them belong to
 * the failure, which locks a thread kept when another took over, and what is left out because nothing happens there.
 */
#ifndef HEDDLE_REPORT_ROWS_H
#define HEDDLE_REPORT_ROWS_H

#include "report/describe.h"

#define NO_EVENT UINT32_MAX

struct row {
  thread_id thread;
  uint32_t step;     /* number of the step, from 1; 0 = not a step */
  uint32_t event;    /* its place in the trace's events; NO_EVENT: the row is about none, or about several */
  uint32_t left_out; /* this row stands for so many */
  bool marked;       /* one of the last conflicting accesses, or an acquisition that others wait for */
  bool is_end;       /* where the thread stands at the end, or how it failed */
  struct place place;
  struct text what, value; /* value: " = 3", or nothing; kept when `what` has to be cut short */
};

typedef VECTOR(struct row) row_list;

/* `full`: nothing is left out. Rows before step `from_step` are. */
void rows_make(row_list *rows, const struct scene *scene, bool full, uint64_t from_step);
void rows_free(row_list *rows);

/* marks.c: sets marks[i] for the events that explain the failure. */
void marks_find(const struct scene *scene, bool *marks);

/* held.c: the locks that a thread holds, as the events so far tell. */
struct shown_lock {
  uint64_t address;
  site_id site; /* where it was acquired */
  thread_id thread;
  uint32_t count;
};
typedef VECTOR(struct shown_lock) held_locks;
void held_note(held_locks *held, const struct event *event);

#endif
