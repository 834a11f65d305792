/* SPDX-License-Identifier: MIT
 *
 * What a person sees: one live line on a terminal while heddle works, and at the end the verdict, the bugs, and what
 * they rest on.
 */
#include "report/report.h"

#include "report/advice.h"
#include "report/computing.h"
#include "report/concrete.h"
#include "report/interferences.h"
#include "report/shares.h"
#include "report/shown_inputs.h"
#include "report/terminal.h"
#include "report/warning_groups.h"
#include "trace/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OBSERVATIONS 20
#define MOST_NOTES 12
#define MOST_INPUTS 12

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

/* --- the live line --- */

static void print_duration(FILE *stream, double seconds) {
  static const struct {
    double seconds;
    const char *name;
  } units[] = {{365.0 * 86400, "years"}, {86400, "days"}, {3600, "h"}, {60, "min"}, {1, "s"}};
  size_t unit = 0;
  while (unit < 4 && seconds < 2 * units[unit].seconds) unit++;
  const double count = seconds / units[unit].seconds;
  fprintf(stream, count < 1e6 ? "%.0f %s" : "%.0e %s", count, units[unit].name);
}

/* How much is left, where the strategy can say it. */
static void print_rest(FILE *stream, const struct summary *summary) {
  const double runs = (double)summary->runs, all = summary->estimated_runs < 1e15 ? summary->estimated_runs : 1e15;
  if (summary->learning || summary->runs == 0 || all <= runs) return;
  if (isinf(summary->estimated_runs)) {
    fputs(", no bound known", stream);
    return;
  }
  fprintf(stream, all < 1e6 ? ", %.1f%% of about %.0f" : ", %.1f%% of about %.0e", 100 * runs / all, all);
  fputs(", ", stream);
  print_duration(stream, (all - runs) * summary->seconds / (double)(summary->runs + summary->learning_runs));
  fputs(" left", stream);
}

static void progress(void *self, const struct summary *summary) {
  const struct report *report = self;
  if (!report->live) return;
  uint64_t covered, total;
  report_branches(report, summary, &covered, &total);
  const uint64_t runs = summary->runs + summary->learning_runs;
  fprintf(stderr, "\r\033[K%s%llu runs, %.0f runs/s", summary->learning ? "learning: " : "", (unsigned long long)runs,
          summary->seconds > 0 ? (double)runs / summary->seconds : 0.0);
  print_rest(stderr, summary);
  fprintf(stderr, ", branches %llu/%llu, %zu bug%s, %.0f s", (unsigned long long)covered, (unsigned long long)total,
          report_bugs(summary), plural(report_bugs(summary)), summary->seconds);
  fflush(stderr);
}

static void clear_line(const struct report *report) {
  if (report->live) fputs("\r\033[K", stderr);
}

/* --- the end --- */

static void print_advice(const struct report *report, const struct summary *summary) {
  struct text advice = {0};
  advice_append(&advice, report, summary);
  if (advice.length > 0) fprintf(report->stream, "try next: %s\n", text_string(&advice));
  text_free(&advice);
}

static const char *what_was_explored(const struct summary *summary) {
  if (interferences_explored(summary)) return interferences_explored(summary);
  return summary->inputs > 0 ? "every schedule and every path was explored" : "every schedule was explored";
}

/* Nothing to choose: one run is all there is. */
static bool is_alone(const struct summary *summary) {
  return summary->threads <= 1 && summary->inputs == 0 && summary->runs <= 1;
}

/* A proof, but hardly one that anybody wanted. */
static void print_clean(FILE *stream, const struct summary *summary) {
  const char *kinds = report_seeks_all(summary) ? "" : " of the kinds that --find names";
  const bool is_void = summary->runs > 0 && summary->discarded_runs == summary->runs;
  fprintf(stream, "clean: %s, %sno bug%s\n", what_was_explored(summary),
          is_void ? "but no run satisfies the program's assumptions; " : "", kinds);
  if (is_void)
    fputs("try next: weaker assumptions in the driver, if some inputs and schedules should satisfy them\n", stream);
  else if (is_alone(summary))
    fputs("try next: threads, or inputs (heddle_input_int() and its like, --sym-args, --sym-stdin); without them there "
          "is "
          "one run, and this was it\n",
          stream);
}

static void print_verdict(const struct report *report, const struct summary *summary) {
  FILE *stream = report->stream;
  const size_t bugs = report_bugs(summary), noted = summary->findings->list.count - bugs;
  switch (report_verdict(summary)) {
  case VERDICT_CLEAN: print_clean(stream, summary); break;
  case VERDICT_BUG: fprintf(stream, "%zu bug%s found\n", bugs, plural(bugs)); break;
  case VERDICT_INCOMPLETE:
    fprintf(stream, "incomplete: no bug found, but not everything was explored (%s)\n", advice_reason(summary));
    print_advice(report, summary);
    break;
  }
  if (noted > 0) fprintf(stream, "%zu other finding%s, of kinds that --find leaves out\n", noted, plural(noted));
}

void terminal_print_failure(FILE *stream, const struct scene *scene) {
  const struct place place = failure_place(scene);
  struct text text = {0};
  describe_failure_in_lines(&text, scene);
  fprintf(stream, "%s\n", text_string(&text));
  text_clear(&text);
  if (*place.file || *place.function) {
    describe_place(&text, place);
    fprintf(stream, "    at %s", text_string(&text));
    if (*place.function) fprintf(stream, " in %s", place.function);
    thread_list threads = {0};
    failure_threads(scene, &threads);
    text_clear(&text);
    for (size_t i = 0; i < threads.count; i++) {
      if (i > 0) text_append(&text, ", ");
      describe_thread(&text, scene->knowledge, threads.items[i]);
    }
    fprintf(stream, ", thread%s %s\n", plural(threads.count), text_string(&text));
    vector_free(&threads);
  }
  text_free(&text);
}

static void print_history(FILE *stream, const struct finding *finding) {
  const uint32_t switches = finding->record->switches;
  if (finding->learning_run)
    fprintf(stream, "    found while learning what is shared, in run %llu; repeated once; seed %llu\n",
            (unsigned long long)finding->learning_run, (unsigned long long)finding->seed);
  else
    fprintf(stream, "    seen in %llu run%s%s%s, repeated once; seed %llu\n", (unsigned long long)finding->runs,
            plural(finding->runs), finding->part ? " of " : "", finding->part ? finding->part : "",
            (unsigned long long)finding->seed);
  fprintf(stream, "    %u step%s, %u context switch%s", finding->record->n_steps, plural(finding->record->n_steps),
          switches, switches == 1 ? "" : "es");
  if (switches < finding->found_switches) fprintf(stream, " (%u before minimisation)", finding->found_switches);
  fputs("\n", stream);
}

void terminal_print_time(FILE *stream, const struct trace *record) {
  if (record->flags & TRACE_SLEPT)
    fputs("note: time is virtual: a sleep takes no time and lets nobody go first, and a time-out can come at any "
          "moment\n",
          stream);
}

void terminal_print_commands(FILE *stream, const char *directory) {
  if (!directory) return;
  struct text word = {0};
  text_append_word(&word, directory);
  fprintf(stream, "    heddle replay %s\n    heddle show %s\n", text_string(&word), text_string(&word));
  text_free(&word);
}

static void print_finding(const struct report *report, const struct finding *finding, const char *word) {
  const struct scene scene = report_scene(report, finding);
  fprintf(report->stream, "\n%s %u: ", word, finding->number);
  terminal_print_failure(report->stream, &scene);
  inputs_print(report->stream, &scene, "    with ", MOST_INPUTS);
  print_history(report->stream, finding);
  terminal_print_commands(report->stream, report_bug_directory(report, finding));
}

static void print_findings(const struct report *report, const struct summary *summary, bool sought, const char *word) {
  const struct findings *findings = summary->findings;
  for (size_t i = 0; i < findings->list.count; i++)
    if (report_is_sought(summary, findings->list.items[i]) == sought)
      print_finding(report, findings->list.items[i], word);
}

/* Once, however many bugs it is about. */
static void print_time(const struct report *report, const struct summary *summary) {
  const struct findings *findings = summary->findings;
  for (size_t i = 0; i < findings->list.count; i++)
    if (findings->list.items[i]->record->flags & TRACE_SLEPT) {
      fputs("\n", report->stream);
      terminal_print_time(report->stream, findings->list.items[i]->record);
      return;
    }
}

static void print_statistics(const struct report *report, const struct summary *summary) {
  FILE *stream = report->stream;
  uint64_t covered, total;
  report_branches(report, summary, &covered, &total);
  fprintf(stream, "\n%llu run%s with strategy %s, seed %llu, after %llu learning run%s; %.2f s, %.0f runs/s\n",
          (unsigned long long)summary->runs, plural(summary->runs), summary->strategy,
          (unsigned long long)summary->seed, (unsigned long long)summary->learning_runs, plural(summary->learning_runs),
          summary->seconds, summary->seconds > 0 ? (double)summary->runs / summary->seconds : 0.0);
  fprintf(stream, "%llu thread%s, %llu visible operations, %llu of %llu branches covered, peak memory %.1f MB\n",
          (unsigned long long)summary->threads, plural(summary->threads),
          (unsigned long long)summary->visible_operations, (unsigned long long)covered, (unsigned long long)total,
          (double)summary->peak_rss_kb / 1024);
  const double deadlock_seconds = account_seconds(summary->account, "deadlock_seconds");
  if (deadlock_seconds > 0)
    fprintf(stream, "%.2f s of that went into searching for deadlocks that no run has shown\n", deadlock_seconds);
  if (summary->truncated_runs > 0)
    fprintf(stream,
            "%llu run%s cut short by --max-events, --max-memory, --max-threads, --max-inputs, --hang-time or one of "
            "heddle's limits\n",
            (unsigned long long)summary->truncated_runs, summary->truncated_runs == 1 ? " was" : "s were");
  if (summary->discarded_runs > 0)
    fprintf(stream, "%llu run%s discarded: an assumption of the program did not hold\n",
            (unsigned long long)summary->discarded_runs, summary->discarded_runs == 1 ? " was" : "s were");
  if (summary->unfair_rounds > 0)
    fprintf(stream,
            "%llu continuation%s not explored: a thread would only go round its loop again, which none but an unfair "
            "scheduler lets it do forever\n",
            (unsigned long long)summary->unfair_rounds, summary->unfair_rounds == 1 ? " was" : "s were");
  computing_print(stream, report, summary);
}

static void print_inputs(const struct report *report, const struct summary *summary) {
  FILE *stream = report->stream;
  if (summary->inputs == 0) return;
  fprintf(stream, "%llu input%s, %llu path%s", (unsigned long long)summary->inputs, plural(summary->inputs),
          (unsigned long long)summary->paths, plural(summary->paths));
  if (summary->solver) {
    const uint64_t z3 = report_z3_queries(summary);
    fprintf(stream, "; %llu solver quer%s, %llu of them for Z3, %.2f s", (unsigned long long)summary->solver->queries,
            summary->solver->queries == 1 ? "y" : "ies", (unsigned long long)z3, summary->solver->seconds);
    if (summary->solver->unknown > 0)
      fprintf(stream, "; %llu had no answer", (unsigned long long)summary->solver->unknown);
  }
  fputs("\n", stream);
  if (report->tests)
    fprintf(stream, "%llu test case%s in %s\n", (unsigned long long)report->tests->count, plural(report->tests->count),
            report->tests->directory);
  concrete_print(stream, report->program, summary->concretised, summary->n_concretised);
}

static void print_observations(FILE *stream, const struct summary *summary) {
  observation_list list = {0};
  report_observations(summary, &list);
  if (list.count > 0) fprintf(stream, "\n%zu distinct observation%s:\n", list.count, plural(list.count));
  for (size_t i = 0; i < list.count && i < MOST_OBSERVATIONS; i++)
    fprintf(stream, "  %10llu  %.*s\n", (unsigned long long)list.items[i].runs, (int)list.items[i].bytes,
            list.items[i].text);
  if (list.count > MOST_OBSERVATIONS) fprintf(stream, "  and %zu more\n", list.count - MOST_OBSERVATIONS);
  vector_free(&list);
}

/* All notes of one kind on one line: what could not be followed is never silently assumed harmless. */
static void print_notes(FILE *stream, const struct program *program, enum note_kind kind, const char *words) {
  size_t count = 0;
  for (size_t i = 0; i < program_notes(program); i++) {
    const struct program_note note = program_note(program, i);
    if (note.kind != kind) continue;
    if (count++ >= MOST_NOTES) continue;
    struct text place = {0};
    describe_place(&place, note.place);
    fprintf(stream, "%s%s (%s)", count == 1 ? words : ", ", note.what, text_string(&place));
    text_free(&place);
  }
  if (count > MOST_NOTES) fprintf(stream, " and %zu more", count - MOST_NOTES);
  if (count > 0) fputs("\n", stream);
}

static void print_warnings(const struct report *report, const struct summary *summary) {
  const struct warning_scene scene = {report->program, summary->knowledge};
  warning_list list = {0};
  warnings_list(&list, report->program, summary->knowledge);
  warning_groups_print(report->stream, &scene, &list);
  for (size_t i = 0; i < summary->n_warnings; i++) fprintf(report->stream, "warning: %s\n", summary->warnings[i]);
  vector_free(&list);
}

void terminal_print_summary(const struct report *report, const struct summary *summary) {
  FILE *stream = report->stream;
  print_verdict(report, summary);
  print_findings(report, summary, true, "bug");
  print_findings(report, summary, false, "noted");
  print_time(report, summary);
  print_statistics(report, summary);
  print_inputs(report, summary);
  interferences_print(report, summary);
  shares_print(report, summary);
  print_observations(stream, summary);
  print_warnings(report, summary);
  print_notes(stream, report->program, NOTE_INLINE_ASSEMBLY,
              "note: heddle runs this inline assembly but does not follow it: ");
}

static void end(void *self, const struct summary *summary) {
  const struct report *report = self;
  clear_line(report);
  terminal_print_summary(report, summary);
  fflush(report->stream);
}

struct observer terminal_observer(struct report *report) {
  return (struct observer){.self = report, .progress = progress, .end = end};
}
