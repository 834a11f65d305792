/* SPDX-License-Identifier: MIT
 *
 * Processes that the program starts. They run for real, outside heddle, and are taken to be quick: whatever a child can
 * do without the program, it has done when the program looks next. So before a thread is told anything that a child has
 * a part in, the model stands still in real time until every child has ended or waits for the program (child_states.c).
 * What a run sees of its children then depends on its steps alone, if the children do the same each time.
 *
 *     started --> has_ended (the kernel keeps its status) --> waited for: the place is free again
 *                     |
 *                     `--> is_known: only of a child with an `ender`, a thread that heddle makes, whose one step is the
 *                          child's end. Children have one when it matters at which moment they end: waitpid with
 *                          WNOHANG asks, or SIGCHLD is handled.
 *
 * Before a child does what nobody could explore, or undo, it says so (struct child_report) and stops; the run ends at a
 * limit then. Children that outlive their run are killed.
 */
#ifndef HEDDLE_RUNTIME_CHILDREN_H
#define HEDDLE_RUNTIME_CHILDREN_H

#include "abi/channel.h"
#include "objects.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MAX_CHILDREN 64u

struct child {
  int pid; /* 0: an unused place */
  bool has_ended, is_known;
  bool was_told;   /* that it has ended, to who did not want to be done with it */
  bool is_inner;   /* of a call of system: no other wait takes it */
  bool has_copy;   /* of memory that other threads were using */
  thread_id ender; /* NO_THREAD: none */
  site_id site;    /* where it was started */
  FILE *stream;    /* of popen, NULL none */
};

struct children {
  bool were_any;      /* in this run */
  bool is_settling;   /* the model stands still for them */
  bool is_late;       /* for too long */
  int outside_signal; /* that came from another process; 0 none */
  bool has_asked;     /* one was about to do something to a file: */
  char path[1024];
  struct object object;
  struct child list[MAX_CHILDREN];
};

/* What a child was about to do. */
enum child_deed { CHILD_QUIET, CHILD_CREATES_THREAD, CHILD_LOCKS_FILE };

struct thread;

void children_initialise(void);
void children_begin_run(void);
/* Kills those that are left. What one of them reported last counts: it becomes the run's end. */
void children_end_run(void);
/* After a run in a process of its own, which may have left some. */
void children_bury_orphans(void);
/* Before the process ends in the middle of a run. */
void children_kill_all(void);

/* ---- model_child.c ---- */
bool children_have_ended_for(const struct thread *thread); /* before CHILD_WAIT, CHILD_END: it can move */
int child_wait_inner(int pid, site_id site);               /* its status, when it has ended; -1: another took it */
int child_signal(int target, int signal, site_id site);    /* as kill, of a child or its group */

/* ---- model_spawn.c ---- */
struct child *child_with_stream(const FILE *stream); /* NULL: not one of popen */
int child_close_stream(FILE *stream, struct child *child, site_id site);

/* ---- children.c ---- */
/* As fork. The step is taken here; in the child, heddle is gone. */
int children_fork(site_id site, bool is_another /* program from the first */);
/* A child starts another by `call`, which returns what went wrong, and ends: the other is in its place. */
int children_spawn(site_id site, int (*call)(void *data, int *pid), void *data, int *pid);
void children_take_step(uint8_t kind, site_id site);
struct child *child_of(int pid); /* of this run, and not waited for; NULL: none */
/* Until all have ended, or wait for the program, or sleep. */
void children_settle(void);
/* The same, and longer: until the thread's operation is possible, or nobody sleeps. */
bool children_allow(const struct thread *thread);
/* Nobody can move: does a thread wait for what a child that is alive could still do? */
bool children_are_awaited(void);
/* From here on it matters when children end: each has an ender. */
void children_watch_ends(site_id site);
bool children_can_end(const struct thread *ender);
void children_note_signal(int number); /* it came from outside */

/* What nobody could explore, with the place of it: the run ends at a limit. */
_Noreturn void children_stop(const char *why, site_id site);

/* ---- in a child ---- */
/* It says what it was about to do, and stops; returns where there is nobody to tell. */
void child_report(enum child_deed deed, site_id site);
/* It calls exec: of the copy of memory that it has, it has used nothing that other threads could change. */
void child_becomes_another(void);

/* ---- child_states.c ---- */
enum child_state { CHILD_GONE, CHILD_WAITS, CHILD_SLEEPS, CHILD_RUNS };
/* The busiest of all processes below this one, and a sum that changes when one of them has run. */
enum child_state child_states_look(uint64_t *sum);
/* Every child of this process: `function` gets its number. False: the kernel does not say. */
bool child_states_each(void (*function)(int pid));

#endif
