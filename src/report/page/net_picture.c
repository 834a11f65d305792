/* SPDX-License-Identifier: MIT
 *
 * The unfolding that a strategy has explored: a column per thread, each event below its causes, arrows for causes that
 * no other cause implies, dashed red lines between events of which no run has both. An event that inherits its
 * conflict from its causes has no line. Up to MOST_EVENTS, so that a set of events is a word.
 */
#include "report/page/page.h"

#include "report/formats/formats.h"
#include "report/unfolding.h"

#include <string.h>

#define MOST_EVENTS 60
#define MOST_LETTERS 30u
#define LETTER_WIDTH 7u
#define BOX_HEIGHT 26u
#define LAYER_HEIGHT 58u
#define GAP 18u
#define HEAD 34u

typedef uint64_t event_set; /* bit i: event number i + 1 */

struct net_picture {
  const struct structure *structure;
  uint32_t count;
  event_set past[MOST_EVENTS];      /* all causes, and theirs */
  event_set conflicts[MOST_EVENTS]; /* with events before it */
  uint32_t layer[MOST_EVENTS];
  uint32_t slot[MOST_EVENTS];              /* in its thread's column: a branch is below its beginning */
  uint32_t column[HEDDLE_MAX_THREADS + 1]; /* in slots: where the thread's column begins */
  uint32_t layers, box_width;
};

static event_set bit(uint32_t event) {
  return (event_set)1 << event;
}

static const struct structure_event *event_at(const struct net_picture *picture, uint32_t i) {
  return &picture->structure->events.items[i];
}

/* --- what follows what --- */

/* The causes without those of causes; events are listed after their causes. */
static event_set direct_causes(const struct net_picture *picture, uint32_t i) {
  event_numbers causes = {0};
  event_set all = 0, implied = 0;
  structure_append_causes(picture->structure, event_at(picture, i), &causes);
  for (size_t c = 0; c < causes.count; c++) {
    BUG_ON(causes.items[c] > i);
    all |= bit(causes.items[c] - 1);
    implied |= picture->past[causes.items[c] - 1];
  }
  vector_free(&causes);
  return all & ~implied;
}

static void find_past(struct net_picture *picture, uint32_t i) {
  const event_set causes = direct_causes(picture, i);
  for (uint32_t c = 0; c < i; c++) {
    if (!(causes & bit(c))) continue;
    picture->past[i] |= bit(c) | picture->past[c];
    if (picture->layer[c] >= picture->layer[i]) picture->layer[i] = picture->layer[c] + 1;
  }
  if (picture->layer[i] >= picture->layers) picture->layers = picture->layer[i] + 1;
}

static bool has(const struct structure *structure, struct structure_slice slice, uint32_t id) {
  for (uint32_t i = 0; i < slice.count; i++)
    if (structure->ids.items[slice.first + i] == id) return true;
  return false;
}

static bool have_common(const struct structure *structure, struct structure_slice a, struct structure_slice b) {
  for (uint32_t i = 0; i < a.count; i++)
    if (has(structure, b, structure->ids.items[a.first + i])) return true;
  return false;
}

/* By themselves: both go on from the same event of their thread, or one uses up what the other one needs. */
static bool are_in_conflict(const struct net_picture *picture, uint32_t i, uint32_t j) {
  const struct structure *structure = picture->structure;
  const struct structure_event *a = event_at(picture, i), *b = event_at(picture, j);
  if ((picture->past[i] & bit(j)) || (picture->past[j] & bit(i))) return false;
  if (a->thread == b->thread && a->previous == b->previous) return true;
  if (have_common(structure, a->consumes, b->consumes)) return true;
  return !structure->is_contextual &&
         (have_common(structure, a->consumes, b->reads) || have_common(structure, a->reads, b->consumes));
}

static void find_conflicts(struct net_picture *picture, uint32_t i) {
  for (uint32_t j = 0; j < i; j++)
    if (are_in_conflict(picture, i, j)) picture->conflicts[i] |= bit(j);
}

static bool conflict_is_between(const struct net_picture *picture, event_set some, event_set others) {
  for (uint32_t i = 0; i < picture->count; i++)
    if (((some & bit(i)) && (picture->conflicts[i] & others)) || ((others & bit(i)) && (picture->conflicts[i] & some)))
      return true;
  return false;
}

/* Not because their causes are. */
static bool are_first_in_conflict(const struct net_picture *picture, uint32_t i, uint32_t j) {
  return (picture->conflicts[i] & bit(j)) &&
         !conflict_is_between(picture, picture->past[i], picture->past[j] | bit(j)) &&
         !conflict_is_between(picture, picture->past[i] | bit(i), picture->past[j]);
}

/* --- where it is --- */

/* The first one that goes on from its thread's event before stays below it; others begin a branch. */
static bool begins_branch(const struct net_picture *picture, uint32_t i) {
  const struct structure_event *event = event_at(picture, i);
  if (event->previous == 0 || event_at(picture, event->previous - 1)->thread != event->thread) return true;
  for (uint32_t j = 0; j < i; j++)
    if (event_at(picture, j)->thread == event->thread && event_at(picture, j)->previous == event->previous) return true;
  return false;
}

static void find_slots(struct net_picture *picture) {
  uint32_t width[HEDDLE_MAX_THREADS] = {0}, longest = 0;
  for (uint32_t i = 0; i < picture->count; i++) {
    const struct structure_event *event = event_at(picture, i);
    const uint32_t length = (uint32_t)strnlen(event->words, MOST_LETTERS);
    picture->slot[i] = begins_branch(picture, i) ? width[event->thread]++ : picture->slot[event->previous - 1];
    if (length > longest) longest = length;
  }
  for (uint32_t i = 0; i < picture->structure->threads.count; i++)
    picture->column[i + 1] = picture->column[i] + width[i];
  picture->box_width = longest * LETTER_WIDTH + 16;
}

static uint32_t slot_x(const struct net_picture *picture, uint32_t slot) {
  return GAP + slot * (picture->box_width + GAP);
}

static uint32_t left_of(const struct net_picture *picture, uint32_t i) {
  return slot_x(picture, picture->column[event_at(picture, i)->thread] + picture->slot[i]);
}

static uint32_t middle_of(const struct net_picture *picture, uint32_t i) {
  return left_of(picture, i) + picture->box_width / 2;
}

static uint32_t top_of(const struct net_picture *picture, uint32_t i) {
  return HEAD + picture->layer[i] * LAYER_HEIGHT;
}

/* --- the picture --- */

static void append_lines(struct text *html, const struct net_picture *picture, uint32_t i) {
  const event_set causes = direct_causes(picture, i);
  for (uint32_t j = 0; j < i; j++) {
    if (causes & bit(j))
      text_append_format(html, "<path class=\"arrow\" d=\"M%u %u L%u %u\" marker-end=\"url(#cause)\"/>\n",
                         middle_of(picture, j), top_of(picture, j) + BOX_HEIGHT, middle_of(picture, i),
                         top_of(picture, i));
    else if (are_first_in_conflict(picture, i, j))
      text_append_format(html, "<path class=\"conflict\" d=\"M%u %u L%u %u\"/>\n", middle_of(picture, j),
                         top_of(picture, j) + BOX_HEIGHT / 2, middle_of(picture, i),
                         top_of(picture, i) + BOX_HEIGHT / 2);
  }
}

/* An svg inside cuts off what does not fit; the title has all of it. */
static void append_event(struct text *html, const struct net_picture *picture, const struct paths *paths, uint32_t i) {
  const struct structure_event *event = event_at(picture, i);
  struct text words = {0}, place = {0};
  text_append_format(html,
                     "<svg class=\"event\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"><rect class=\"node t%u\" "
                     "width=\"100%%\" height=\"100%%\" rx=\"5\"/><text class=\"node\" x=\"50%%\" y=\"17\">",
                     left_of(picture, i), top_of(picture, i), picture->box_width, BOX_HEIGHT,
                     event->thread % THREAD_COLOURS);
  xml_append(html, event->words);
  text_append_format(html, "</text><title>%u: ", i + 1);
  describe_place(&place, event->place);
  paths_append_words(&words, paths, text_string(&place));
  xml_append(html, event->words);
  text_append(html, ", ");
  xml_append(html, text_string(&words));
  text_append(html, "</title></svg>\n");
  text_free(&words);
  text_free(&place);
}

static void append_columns(struct text *html, const struct net_picture *picture) {
  for (uint32_t i = 0; i < picture->structure->threads.count; i++) {
    if (picture->column[i] == picture->column[i + 1]) continue;
    const uint32_t left = slot_x(picture, picture->column[i]), right = slot_x(picture, picture->column[i + 1]) - GAP;
    text_append_format(html, "<text class=\"lane t%u\" x=\"%u\" y=\"18\">", i % THREAD_COLOURS, (left + right) / 2);
    xml_append(html, picture->structure->threads.items[i].name);
    text_append(html, "</text>\n");
  }
}

static void append_picture(struct text *html, const struct structure *structure, const struct paths *paths) {
  struct net_picture picture = {.structure = structure, .count = (uint32_t)structure->events.count};
  for (uint32_t i = 0; i < picture.count; i++) find_past(&picture, i);
  for (uint32_t i = 0; i < picture.count; i++) find_conflicts(&picture, i);
  find_slots(&picture);
  const uint32_t width = slot_x(&picture, picture.column[structure->threads.count]);
  const uint32_t height = HEAD + picture.layers * LAYER_HEIGHT;
  text_append_format(html,
                     "<figure class=\"net\"><svg width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" role=\"img\" "
                     "aria-label=\"The unfolding\"><defs><marker id=\"cause\" viewBox=\"0 0 8 8\" refX=\"7\" "
                     "refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path class=\"head\" "
                     "d=\"M0 0 L8 4 L0 8 z\"/></marker></defs>\n",
                     width, height, width, height);
  append_columns(html, &picture);
  for (uint32_t i = 0; i < picture.count; i++) append_lines(html, &picture, i);
  for (uint32_t i = 0; i < picture.count; i++) append_event(html, &picture, paths, i);
  text_append_format(html,
                     "</svg><figcaption>%u events. An arrow leads from a cause to what follows from it; no run has "
                     "both ends of a dashed red line.</figcaption></figure>\n",
                     picture.count);
}

static uint64_t net_executed(const struct net *net) {
  uint64_t count = 0;
  for (event_id i = 1; i < net->events.count; i++) count += event_is_executed(net, i);
  return count;
}

static void append_way(struct text *html, uint64_t events) {
  text_append_format(html,
                     "<p>%llu events, too many for a picture here. <code>--unfolding FILE.dot</code> writes them for "
                     "graphviz, <code>FILE.json</code> for <code>heddle query</code>.</p>\n",
                     (unsigned long long)events);
}

void net_append(struct text *html, const struct report *report, const struct summary *summary) {
  if (!summary->net) return;
  const uint64_t events = net_executed(summary->net);
  struct structure structure = {0};
  struct error error = {0};
  text_append(html, "<section><h2>Unfolding</h2>\n");
  if (events > MOST_EVENTS) {
    append_way(html, events);
  } else if (unfolding_make(&structure, report, summary, &error)) {
    append_picture(html, &structure, &report->paths);
  } else {
    text_append(html, "<p>No picture: ");
    xml_append(html, error.message);
    text_append(html, "</p>\n");
  }
  text_append(html, "</section>\n");
  structure_free(&structure);
}
