/* SPDX-License-Identifier: MIT */
#include "base/deadline.h"

#include <stddef.h>
#include <time.h>

#define QUESTIONS_PER_LOOK_AT_CLOCK 64u

double clock_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool is_interrupted(const struct deadline *deadline) {
  return deadline->interrupted && *deadline->interrupted;
}

bool deadline_is_over_now(struct deadline *deadline) {
  if (!deadline) return false;
  if (is_interrupted(deadline) || (deadline->at > 0 && clock_seconds() >= deadline->at)) deadline->is_over = true;
  return deadline->is_over;
}

bool deadline_is_over(struct deadline *deadline) {
  if (!deadline || deadline->is_over) return deadline != NULL;
  if (++deadline->asked % QUESTIONS_PER_LOOK_AT_CLOCK && !is_interrupted(deadline)) return false;
  return deadline_is_over_now(deadline);
}

int deadline_milliseconds_left(const struct deadline *deadline, int most) {
  if (!deadline || deadline->at <= 0) return most;
  const double left = (deadline->at - clock_seconds()) * 1000;
  if (left <= 1) return 1;
  return left < most ? (int)left : most;
}
