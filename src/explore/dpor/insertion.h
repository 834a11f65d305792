/* SPDX-License-Identifier: MIT
 *
 * Adding the reversal of a race to the tree of strategy `optimal`: along the children that could be moved in front of
 * it, then as a new branch. docs/algorithms/dpor.md has the argument.
 *
 * What a step in a branch will touch is known before it is taken, except where `is_guess` says otherwise: then it may
 * touch less, and nothing can be said of what is beside it or follows it. So while a child that is a guess waits for
 * its run, insertions at its parent wait with it (insertion_defer), and are made again when the run is over. In the
 * same way insertions wait for a node that no run has come to since more memory turned out to be shared: there may be
 * steps after it that are not in the tree (optimal_growth.c).
 */
#ifndef HEDDLE_EXPLORE_DPOR_INSERTION_H
#define HEDDLE_EXPLORE_DPOR_INSERTION_H

#include "explore/dpor/wakeup.h"

/* A step of a reversal. */
struct planned {
  struct event event;
  struct decided *decided; /* how it decided in the run, NULL: that is not known for where it comes now */
  bool is_guess;
};

typedef VECTOR(struct sleeper) sleeper_list;

/* What is to be explored at a point. */
struct insertion {
  VECTOR(struct planned) steps;
  VECTOR(uint64_t) moved;  /* bit t: thread t moved in the run after the point; only when it was cut short */
  size_t n_needed;         /* of the steps: those that happen before the last one of the race, and that one */
  bool is_settled;         /* other runs in which these are the same need nothing else: insertion_add() looks */
  sleeper_list sleep;      /* scratch */
  struct values *values;   /* of the run that showed it, NULL: it has no inputs */
  bool is_unsure;          /* the thread of the last step may not be able to move */
  bool is_cut_short;       /* what a thread would have done that did not move is not known */
  const struct path *path; /* of the run that is being absorbed, which `values` are of */
  bool is_last_run;        /* it has not waited: `path` is that of its run */
  uint16_t epoch;          /* that its steps are of */
};

void insertion_free(struct insertion *insertion);

/* Adds the steps after the node, to the right of its child `sibling`, and uses them up: who is there has `sibling`
 * asleep and must be told what has to be explored there. NULL: that is done. Otherwise nothing was added: it has to
 * wait for the node that is returned. */
struct wakeup_node *insertion_add(struct insertion *insertion, struct wakeup *tree, struct inputs *inputs,
                                  struct wakeup_node *node, struct wakeup_node *sibling);
/* A copy of the insertion waits for `guess`, which is below `node`, until insertion_resume(). `sibling` is the id. */
void insertion_defer(const struct insertion *insertion, struct wakeup *tree, struct wakeup_node *guess,
                     struct wakeup_node *node, uint64_t sibling);
/* What the child is has become known, or that it cannot be reached: makes the insertions that waited for it. */
void insertion_resume(struct wakeup *tree, struct inputs *inputs, struct wakeup_node *guess);

/* Those that are to be made at `from`, and wait for the node, will be made at `to`. */
void insertion_move_deferred(struct wakeup_node *node, const struct wakeup_node *from, struct wakeup_node *to);
/* Forgets them. */
void insertion_drop_deferred(struct wakeup_node *guess);
/* Writes those that wait for the guess, which nothing about inputs is in, and reads them when the whole tree is there.
 * False: nobody wrote that. */
void insertion_write_deferred(const struct wakeup_node *guess, struct text *state);
bool insertion_read_deferred(struct wakeup_node *guess, struct written *state);

/* Will all that begins with the step to the node, however it decides, be explored after it? */
bool insertion_stands_for_all(const struct wakeup_node *node);
/* What the step to the node does, however it decides: a compare-and-exchange that failed may write for other inputs. */
struct event insertion_whatever_decided(const struct wakeup_node *node);
/* Adds what is to the left of a child, up to NULL for a new one. */
void sleepers_add_left_of(sleeper_list *list, const struct wakeup_node *node, const struct wakeup_node *child);
/* Leaves those that sleep on after the step: they do not depend on it. */
void sleepers_pass(sleeper_list *list, const struct event *step);

#endif
