/* SPDX-License-Identifier: MIT */
#include "report/page/page.h"

#include "report/formats/formats.h"

#include <stdlib.h>

#define LANE_WIDTH 58
#define LANE_LEFT 30
#define MOST_ARROWS 3000

/* Where the rows and events of a run stand in its picture. */
struct picture {
  const struct shown_run *run;
  struct text *html;
  uint32_t *row_of_event; /* NO_EVENT: it is not shown */
};

static int lane_of(const struct shown_run *run, thread_id thread) {
  for (size_t i = 0; i < run->threads.count; i++)
    if (run->threads.items[i] == thread) return (int)i;
  return -1;
}

static int lane_x(int lane) {
  return LANE_LEFT + lane * LANE_WIDTH;
}

static size_t row_y(size_t row) {
  return LANES_HEAD + row * ROW_HEIGHT + ROW_HEIGHT / 2;
}

static void find_rows(struct picture *picture) {
  const uint32_t n_events = picture->run->scene->trace->record->n_events;
  picture->row_of_event = memory_allocate((n_events + 1) * sizeof *picture->row_of_event);
  for (uint32_t i = 0; i < n_events; i++) picture->row_of_event[i] = NO_EVENT;
  for (size_t i = 0; i < picture->run->rows.count; i++)
    if (picture->run->rows.items[i].event != NO_EVENT)
      picture->row_of_event[picture->run->rows.items[i].event] = (uint32_t)i;
}

/* --- lanes --- */

static void append_lane(const struct picture *picture, int lane) {
  const struct shown_run *run = picture->run;
  const thread_id thread = run->threads.items[lane];
  struct text name = {0};
  size_t first = SIZE_MAX, last = 0;
  for (size_t i = 0; i < run->rows.count; i++) {
    if (run->rows.items[i].thread != thread) continue;
    if (first == SIZE_MAX) first = i;
    last = i;
  }
  describe_thread(&name, run->scene->knowledge, thread);
  text_append_format(picture->html, "<text class=\"lane t%u\" x=\"%d\" y=\"18\">", thread % THREAD_COLOURS,
                     lane_x(lane));
  xml_append(picture->html, text_string(&name));
  text_append_format(picture->html, "</text><line class=\"lane t%u\" x1=\"%d\" x2=\"%d\" y1=\"%zu\" y2=\"%zu\"/>\n",
                     thread % THREAD_COLOURS, lane_x(lane), lane_x(lane), row_y(first), row_y(last));
  text_free(&name);
}

/* --- stretches in which a thread could not move: steps that say who could, and do not name it --- */

static void append_hatch(const struct picture *picture, int lane, size_t from, size_t to) {
  text_append_format(picture->html,
                     "<rect class=\"blocked\" x=\"%d\" y=\"%zu\" width=\"10\" height=\"%zu\" fill=\"url(#hatch%u)\">"
                     "<title>cannot move</title></rect>\n",
                     lane_x(lane) - 5, row_y(from), row_y(to) - row_y(from), picture->run->number);
}

static bool is_blocked_at(const struct picture *picture, size_t row, thread_id thread) {
  const uint32_t i = picture->run->rows.items[row].event;
  if (i == NO_EVENT || thread >= 64) return false;
  const struct event *event = &picture->run->scene->trace->events[i];
  return event->enabled && !(event->enabled >> thread & 1);
}

static void append_hatches(const struct picture *picture, int lane) {
  const struct shown_run *run = picture->run;
  const thread_id thread = run->threads.items[lane];
  size_t own = SIZE_MAX, from = SIZE_MAX;
  for (size_t i = 0; i < run->rows.count; i++) {
    const bool is_own = run->rows.items[i].thread == thread;
    if (from != SIZE_MAX && (is_own || !is_blocked_at(picture, i, thread))) {
      if (run->rows.items[i].event != NO_EVENT || is_own) {
        append_hatch(picture, lane, from, i);
        from = SIZE_MAX;
      }
    }
    if (is_own) own = i;
    if (own != SIZE_MAX && !is_own && from == SIZE_MAX && is_blocked_at(picture, i, thread)) from = i;
  }
}

/* --- arrows and marks --- */

static void append_arrow(const struct picture *picture, const struct handover *handover) {
  const uint32_t from = picture->row_of_event[handover->from], to = picture->row_of_event[handover->to];
  if (from == NO_EVENT || to == NO_EVENT) return;
  const struct event *events = picture->run->scene->trace->events;
  const int x1 = lane_x(lane_of(picture->run, events[handover->from].thread));
  const int x2 = lane_x(lane_of(picture->run, events[handover->to].thread));
  const bool is_marked = picture->run->rows.items[from].marked && picture->run->rows.items[to].marked;
  text_append_format(picture->html,
                     "<line class=\"arrow%s\" x1=\"%d\" y1=\"%zu\" x2=\"%d\" y2=\"%zu\" marker-end=\"url(#head%u)\">"
                     "<title>%s</title></line>\n",
                     is_marked ? " marked" : "", x1, row_y(from), x2 + (x2 > x1 ? -7 : 7), row_y(to),
                     picture->run->number, handover->words);
}

static void append_arrows(const struct picture *picture) {
  handover_list handovers = {0};
  handovers_find(&handovers, picture->run->scene->trace);
  const size_t first = handovers.count > MOST_ARROWS ? handovers.count - MOST_ARROWS : 0;
  for (size_t i = first; i < handovers.count; i++) append_arrow(picture, &handovers.items[i]);
  vector_free(&handovers);
}

static void append_mark(const struct picture *picture, size_t i) {
  const struct row *row = &picture->run->rows.items[i];
  const int x = lane_x(lane_of(picture->run, row->thread));
  if (row->event == NO_EVENT && !row->is_end) return;
  text_append_format(picture->html, "<a href=\"#b%ur%zu\">", picture->run->number, i);
  if (row->is_end)
    text_append_format(picture->html, "<path class=\"end%s\" d=\"M%d %zu l10 10 m0 -10 l-10 10\"/>",
                       row->marked ? " marked" : "", x - 5, row_y(i) - 5);
  else
    text_append_format(picture->html, "<circle class=\"mark t%u%s\" cx=\"%d\" cy=\"%zu\" r=\"%d\"/>",
                       row->thread % THREAD_COLOURS, row->marked ? " marked" : "", x, row_y(i), row->step ? 5 : 3);
  text_append(picture->html, "<title>");
  xml_append(picture->html, text_string(&row->what));
  xml_append(picture->html, text_string(&row->value));
  text_append(picture->html, "</title></a>\n");
}

void diagram_append(struct text *html, const struct shown_run *run) {
  struct picture picture = {.run = run, .html = html};
  const int width = lane_x((int)run->threads.count) - LANE_WIDTH / 2;
  const size_t height = row_y(run->rows.count);
  find_rows(&picture);
  text_append_format(
      html,
      "<svg class=\"diagram\" width=\"%d\" height=\"%zu\" viewBox=\"0 0 %d %zu\" role=\"img\" "
      "aria-label=\"The run: a lane per thread, time goes down\">\n"
      "<defs><marker id=\"head%u\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
      "markerHeight=\"7\" orient=\"auto\"><path class=\"head\" d=\"M0 0 L8 4 L0 8 z\"/></marker>"
      "<pattern id=\"hatch%u\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><line class=\"hatch\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"5\"/></pattern></defs>\n",
      width, height, width, height, run->number, run->number);
  for (size_t i = 0; i < run->threads.count; i++) append_lane(&picture, (int)i);
  for (size_t i = 0; i < run->threads.count; i++) append_hatches(&picture, (int)i);
  append_arrows(&picture);
  for (size_t i = 0; i < run->rows.count; i++) append_mark(&picture, i);
  text_append(html, "</svg>\n");
  free(picture.row_of_event);
}
