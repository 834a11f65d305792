/* SPDX-License-Identifier: MIT
 *
 * Examining what failed, while the exploration continues. The runs of an examination (examine.h) are tickets of the
 * same pool as the strategy's, in other lanes; only the examination that was begun first is under way.
 *
 * What the observers are told, and in which order, does not depend on how long that takes: whatever comes after a run
 * that failed waits for its verdict (tell.c), and findings are numbered in the order of the runs that showed them. If
 * the first bug ends the exploration, it has to know at once whether that was one: nothing else is looked at before the
 * run was repeated. Minimising it continues while the tickets that are outstanding then are awaited.
 */
#include "explore/loop/examine.h"
#include "explore/loop/internal.h"

#define WAIT_MILLISECONDS 50
#define MOST_EXAMINED 8 /* that wait for each other: what is found when the time is over must still be examined */

static struct examination *first(const struct exploration *self) {
  return self->findings.examined.items[0];
}

bool exploration_is_examining(const struct exploration *self) {
  return self->findings.examined.count > 0;
}

bool exploration_has_found(const struct exploration *self, uint64_t outcomes) {
  for (size_t i = 0; i < self->findings.list.count; i++)
    if (outcomes >> self->findings.list.items[i]->record->outcome & 1) return true;
  return false;
}

static void tell_verdict(struct exploration *self) {
  struct text words = {0};
  switch (findings_conclude(&self->findings, &words)) {
  case FINDING_NEW:
    exploration_tell_bug(self, self->findings.list.items[self->findings.list.count - 1]);
    exploration_tell_verdict(self, NULL, REASON_NONE);
    break;
  case FINDING_LOST: exploration_tell_verdict(self, text_string(&words), REASON_UNREPEATABLE); break;
  case FINDING_LATE:
    exploration_tell_verdict(self, text_string(&words), REASON_NONE);
    exploration_look_at_clock(self);
    break;
  }
  text_free(&words);
}

void exploration_look_at_examination(struct exploration *self) {
  while (exploration_is_examining(self)) {
    struct examination *examination = first(self);
    if (!examination_is_over(examination) && deadline_is_over_now(&self->deadline)) examination_give_up(examination);
    if (!examination_is_over(examination) && !examination_lane(examination)) examination_start(examination);
    if (!examination_is_over(examination)) return;
    tell_verdict(self);
  }
}

void exploration_take_examined(struct exploration *self, enum reception reception, const struct reply *reply) {
  BUG_ON(!exploration_is_examining(self) || reply->lane != examination_lane(first(self)));
  if (reception == RECEPTION_FAILED)
    examination_fail(first(self));
  else
    examination_absorb(first(self), reply);
  exploration_look_at_examination(self);
}

/* Waits for the next reply of the first examination. */
static void go_on(struct exploration *self) {
  struct reply reply;
  struct error error = {0};
  exploration_look_at_examination(self);
  if (!exploration_is_examining(self)) return;
  const enum reception reception = lane_receive(examination_lane(first(self)), WAIT_MILLISECONDS, &reply, &error);
  if (reception != RECEPTION_NOTHING) exploration_take_examined(self, reception, &reply);
}

void exploration_settle(struct exploration *self) {
  while (exploration_is_examining(self)) go_on(self);
}

/* Nothing else is examined. */
static void await_confirmation(struct exploration *self, const struct examination *examination) {
  while (exploration_is_examining(self) && !examination_has_confirmed(examination)) go_on(self);
  if (exploration_is_examining(self) || exploration_has_found(self, self->settings->ends_search))
    exploration_stop(self, REASON_FIRST_BUG);
}

void exploration_examine(struct exploration *self, const struct reply *reply) {
  if (self->stop) return;
  struct examination *examination =
      findings_examine(&self->findings, reply, lane_isolation(self->lane), self->known, lane_knowledge(self->lane));
  if (!examination) return;
  if (self->summary.learning)
    examination_note_learning_run(examination, self->summary.learning_runs);
  else if (self->settings->strategy->part)
    examination_note_part(examination, self->settings->strategy->part(self->strategy));
  exploration_expect_verdict(self);
  if (self->settings->ends_search >> reply->trace.record->outcome & 1) await_confirmation(self, examination);
  while (self->findings.examined.count >= MOST_EXAMINED) go_on(self);
}
