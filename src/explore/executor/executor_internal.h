/* SPDX-License-Identifier: MIT
 *
 * What executor.c (the process, its plans and traces), executor_channel.c (the memory it shares) and executor_journal.c
 * (replies that are kept in a file) know of an executor.
 */
#ifndef HEDDLE_EXPLORE_EXECUTOR_EXECUTOR_INTERNAL_H
#define HEDDLE_EXPLORE_EXECUTOR_EXECUTOR_INTERNAL_H

#include "base/text.h"
#include "explore/executor/executor.h"
#include "explore/executor/ring.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

#define MAX_IN_FLIGHT 512u
#define HANG_SIGNAL (SIGRTMAX - 1) /* one that programs leave alone */
#define SLICE_MILLISECONDS 10

/* Of a channel's header, before what the process writes there. */
#define SETTINGS_BYTES offsetof(struct channel, heartbeat)

struct slot {
  struct plan *plan;
  size_t capacity_bytes;
};

struct executor {
  struct executor_settings settings;
  enum isolation isolation;
  int channel_file;
  struct channel *channel;
  struct channel header; /* as it was when the process was started */
  uint64_t channel_bytes, knowledge_offset, coverage_offset;
  bool is_damaged; /* something has written over what the channel keeps for all runs */
  struct knowledge *knowledge;
  struct observations *observations;
  struct ring_end plans, traces;
  struct slot slots[MAX_IN_FLIGHT];
  uint64_t first, sent, end;
  uint32_t traces_of_plan; /* received for the plan `first` */
  struct text record;      /* the trace of the last reply */
  uint8_t *covered;
  struct journal *journal; /* NULL: none */
  bool was_alive;          /* when the reply that was read from the journal came */
  bool has_dropped;        /* plans that may have been run */
  bool is_holding;         /* no plan is sent any more */
  uint64_t held_from;      /* the first plan that is not sent; 0: all are */
  pid_t pid;
  bool has_answered; /* this process has finished a plan */
  bool is_cautious;  /* the isolation was changed: what is conditional waits until the plan `first` is over */
  bool left_traces;  /* the process has ended, and traces that it wrote before may still lie in the ring */
  int end_status;    /* of that process */
  int failed_starts;
  const char *const *debugger; /* NULL: none */
  int complaints;              /* a file with what the process says in its last attempt to start; -1 = none */
  uint64_t peak_rss_kb;
  uint64_t heartbeat;
  int64_t progress_at;  /* when the heartbeat last changed */
  int64_t signalled_at; /* when the hang signal was sent; 0 = not */
};

static inline int64_t now_milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* --- executor_channel.c --- */

bool executor_create_channel(struct executor *executor, struct error *error);
/* Before every start: whatever the last process left in the header is gone. */
void executor_reset_channel(struct executor *executor);

/* --- executor.c --- */

struct process_knowledge *executor_process_knowledge(const struct executor *executor);
/* The plan that the next reply answers. */
const struct plan *executor_oldest_plan(struct executor *executor);
void executor_end_oldest_plan(struct executor *executor);
/* Takes what the trace adds to what is known; false: it does not fit. */
bool executor_take_additions(struct executor *executor, const struct trace_view *trace);
/* What was sent is answered, and nothing writes to the knowledge. */
bool executor_is_at_rest(const struct executor *executor);
/* executor_receive, of a process. */
enum reception executor_receive_from_process(struct executor *executor, int timeout_milliseconds, struct reply *reply,
                                             struct error *error);

#endif
