/* SPDX-License-Identifier: MIT
 *
 * What a net does not need in order to grow, but --unfolding wants to show: the values of variables, and what
 * threads do after events that need no exploring. Kept only when asked for.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_MEMO_H
#define HEDDLE_EXPLORE_UNFOLDING_MEMO_H

#include "explore/inputs/inputs.h"
#include "explore/unfolding/layout.h"
#include "explore/unfolding/net.h"

struct net_value {
  uint64_t value;
  term_id term; /* over inputs; 0: the value is the same for all */
  bool is_known;
  bool varies; /* main wrote others before it created threads, on other paths: not known then */
};

/* An operation of a thread after a NET_BARREN event, in their order. */
struct net_tail {
  event_id event;
  operation_id operation;
};

struct net_memo {
  VECTOR(struct net_value) values; /* by condition of memory; conditions beyond are not known */
  VECTOR(struct net_tail) tails;
  VECTOR(struct cell) hidden; /* bytes that atomic sections write: conditions do not say what they hold */
};

/* All three do nothing when the net keeps no memo. */
void memo_take_event(struct net *net, event_id id, const struct event *event, const struct trace_view *trace,
                     const struct path *path);
void memo_take_tail(struct net *net, event_id id, operation_id operation);
/* Of an event inside an atomic section. */
void memo_take_hidden(struct net *net, const struct event *event);

void memo_free(struct net_memo *memo);
/* NULL: not known. */
const struct net_value *memo_value(const struct net *net, condition_id condition);

#endif
