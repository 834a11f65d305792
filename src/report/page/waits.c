/* SPDX-License-Identifier: MIT
 *
 * Threads on a circle; an arrow from who waits to who has it, with what it waits for.
 */
#include "report/page/page.h"

#include "report/formats/formats.h"
#include "trace/tables.h"

#include <math.h>

#define WIDTH 640
#define HEIGHT 290
#define RADIUS_X 220.0
#define RADIUS_Y 115.0
#define MOST_THREADS 12

struct point {
  double x, y;
};

static struct point point_of(uint32_t i, uint32_t count) {
  const double angle = -M_PI / 2 + 2 * M_PI * i / count;
  const double middle = HEIGHT / 2.0 + (count == 3 ? RADIUS_Y / 4 : 0);
  return (struct point){WIDTH / 2.0 + RADIUS_X * cos(angle), middle + RADIUS_Y * sin(angle)};
}

/* Who it is that could let it go on; NO_THREAD: nobody in particular. */
static thread_id awaited(const struct pending *pending) {
  return event_row(pending->kind)->class == CLASS_THREAD ? (thread_id)pending->object : pending->holder;
}

static uint32_t index_of(const struct trace_view *trace, thread_id thread) {
  for (uint32_t i = 0; i < trace->record->n_pending; i++)
    if (trace->pendings[i].thread == thread) return i;
  return UINT32_MAX;
}

static void append_object(struct text *html, const struct scene *scene, const struct pending *pending) {
  struct text words = {0};
  const struct event event = {
      .kind = pending->kind, .object = pending->object, .site = pending->site, .alternatives = 1};
  describe_operation(&words, scene, &event);
  xml_append(html, text_string(&words));
  text_free(&words);
}

static void append_wait(struct text *html, const struct shown_run *run, uint32_t i) {
  const struct trace_view *trace = run->scene->trace;
  const struct pending *pending = &trace->pendings[i];
  const struct point from = point_of(i, trace->record->n_pending);
  const uint32_t other = awaited(pending) == NO_THREAD ? UINT32_MAX : index_of(trace, awaited(pending));
  const double label = other == UINT32_MAX ? 34 : 0;
  struct point middle = {from.x, from.y};
  if (other != UINT32_MAX) {
    const struct point to = point_of(other, trace->record->n_pending);
    const double length = hypot(to.x - from.x, to.y - from.y) + 0.001;
    const double dx = (to.x - from.x) / length, dy = (to.y - from.y) / length;
    /* Bent to its side, so that two that wait for each other have an arrow each. */
    const double bend = 34;
    const struct point control = {(from.x + to.x) / 2 - dy * bend, (from.y + to.y) / 2 + dx * bend};
    text_append_format(
        html, "<path class=\"arrow marked\" d=\"M%.1f %.1f Q%.1f %.1f %.1f %.1f\" marker-end=\"url(#wait%u)\"/>\n",
        from.x + dx * 26, from.y + dy * 26, control.x, control.y, to.x - dx * 30, to.y - dy * 30, run->number);
    middle = (struct point){(control.x + (from.x + to.x) / 2) / 2, (control.y + (from.y + to.y) / 2) / 2};
  }
  text_append_format(html, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">", middle.x, middle.y + label);
  append_object(html, run->scene, pending);
  text_append(html, "</text>\n");
}

static void append_thread(struct text *html, const struct shown_run *run, uint32_t i) {
  const struct trace_view *trace = run->scene->trace;
  const struct point at = point_of(i, trace->record->n_pending);
  const thread_id thread = trace->pendings[i].thread;
  struct text name = {0};
  describe_thread(&name, run->scene->knowledge, thread);
  text_append_format(
      html, "<circle class=\"node t%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"22\"/><text class=\"node\" x=\"%.1f\" y=\"%.1f\">",
      thread % THREAD_COLOURS, at.x, at.y, at.x, at.y + 5);
  xml_append(html, text_string(&name));
  text_append(html, "</text>\n");
  text_free(&name);
}

void waits_append(struct text *html, const struct shown_run *run) {
  const struct trace *record = run->scene->trace->record;
  if (record->outcome != OUTCOME_DEADLOCK || record->n_pending < 2 || record->n_pending > MOST_THREADS) return;
  text_append_format(html,
                     "<figure class=\"waits\"><svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
                     "aria-label=\"Who waits for whom\"><defs><marker id=\"wait%u\" viewBox=\"0 0 8 8\" refX=\"7\" "
                     "refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path class=\"head marked\" "
                     "d=\"M0 0 L8 4 L0 8 z\"/></marker></defs>\n",
                     WIDTH, HEIGHT, WIDTH, HEIGHT, run->number);
  for (uint32_t i = 0; i < record->n_pending; i++)
    if (run->scene->trace->pendings[i].blocked) append_wait(html, run, i);
  for (uint32_t i = 0; i < record->n_pending; i++) append_thread(html, run, i);
  text_append(html, "</svg><figcaption>Who waits for whom, and for what</figcaption></figure>\n");
}
