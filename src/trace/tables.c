/* SPDX-License-Identifier: MIT */
#include "trace/tables.h"

static const struct event_row events[EVENT_KINDS] = {
    [EVENT_NONE] = {"nothing", CLASS_NOTHING, false, DEPENDENCE_INDEPENDENT},
#define EVENT(name, words, class, visible, dependence, ...)                                                            \
  [EVENT_##name] = {words, CLASS_##class, visible, DEPENDENCE_##dependence},
#include "abi/events.def"
#undef EVENT
};

static const struct outcome_row outcomes[OUTCOMES] = {
    [OUTCOME_NONE] = {OUTCOME_INTERNAL, "", "no outcome"},
#define OUTCOME(name, class, kind, words) [OUTCOME_##name] = {OUTCOME_##class, kind, words},
#include "abi/outcomes.def"
#undef OUTCOME
};

static const struct warning_row warnings[WARNING_KINDS] = {
    [WARNING_NONE] = {"", "no warning"},
#define WARNING(name, kind, words) [WARNING_##name] = {kind, words},
#include "abi/warnings.def"
#undef WARNING
};

const struct event_row *event_row(uint32_t kind) {
  return &events[kind < EVENT_KINDS ? kind : EVENT_NONE];
}

const struct outcome_row *outcome_row(uint32_t outcome) {
  return &outcomes[outcome < OUTCOMES ? outcome : OUTCOME_NONE];
}

const struct warning_row *warning_row(uint32_t kind) {
  return &warnings[kind < WARNING_KINDS ? kind : WARNING_NONE];
}
