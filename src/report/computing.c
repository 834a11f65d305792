/* SPDX-License-Identifier: MIT */
#include "report/computing.h"

#include "base/json.h"
#include "report/describe.h"

/* In the program's own code: false for the others, which are left out. */
static bool find_place(const struct report *report, uint32_t instruction, struct place *place) {
  *place = program_code_place(report->program, instruction);
  return *place->file || *place->function;
}

/* Without a stack, the last thing that the thread was seen to do. */
static uint32_t list_places(const struct report *report, const struct trace *trace, struct place *places) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < TRACE_STACK && trace->stack[i]; i++)
    count += find_place(report, trace->stack[i], &places[count]);
  if (count == 0 && trace->site) places[count++] = program_place(report->program, trace->site);
  return count;
}

void computing_print(FILE *stream, const struct report *report, const struct summary *summary) {
  const struct trace *trace = summary->computing;
  struct place places[TRACE_STACK];
  struct text text = {0};
  if (!trace) return;
  describe_thread(&text, summary->knowledge, trace->thread);
  fprintf(stream, "a run was cut short because thread %s computed for --hang-time without a visible operation\n",
          text_string(&text));
  const uint32_t count = list_places(report, trace, places);
  for (uint32_t i = 0; i < count; i++) {
    text_clear(&text);
    describe_place(&text, places[i]);
    fprintf(stream, "    %s %s", i == 0 ? "at" : "called at", text_string(&text));
    fprintf(stream, *places[i].function ? " in %s\n" : "%s\n", places[i].function);
  }
  text_free(&text);
}

static void append_place(struct text *json, const struct place *place) {
  text_append(json, "{\"file\": ");
  json_append_string(json, place->file);
  text_append_format(json, ", \"line\": %u, \"function\": ", place->line);
  json_append_string(json, place->function);
  text_append(json, "}");
}

void computing_append_json(struct text *json, const struct report *report, const struct summary *summary) {
  const struct trace *trace = summary->computing;
  struct place places[TRACE_STACK];
  struct text thread = {0};
  if (!trace) {
    text_append(json, ",\n  \"computing\": null");
    return;
  }
  const uint32_t count = list_places(report, trace, places);
  describe_thread(&thread, summary->knowledge, trace->thread);
  text_append_format(json, ",\n  \"computing\": {\"thread\": \"%s\", \"stack\": [", text_string(&thread));
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0) text_append(json, ", ");
    append_place(json, &places[i]);
  }
  text_append(json, "]}");
  text_free(&thread);
}
