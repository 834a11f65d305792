/* SPDX-License-Identifier: MIT
 *
 * The result as a page for a browser: one file, nothing fetched, readable without scripts. Every name that comes from
 * the program goes through xml_append (report/formats/formats.h).
 */
#ifndef HEDDLE_REPORT_PAGE_PAGE_H
#define HEDDLE_REPORT_PAGE_PAGE_H

#include "report/report.h"
#include "report/rows.h"

/* One run that is shown, and the pieces of it. */
struct shown_run {
  const struct scene *scene;
  const struct paths *paths;
  uint32_t number;     /* ids of its elements begin with it */
  row_list rows;       /* of the page */
  thread_list threads; /* a lane each, in the order of their ids */
  bool has_more;       /* rows were left out */
};

/* handovers.c: what one thread's event got from another's: unlock to lock, signal to wake-up, write to read, creation,
 * end to join. */
struct handover {
  uint32_t from, to; /* events */
  const char *words;
};
typedef VECTOR(struct handover) handover_list;
void handovers_find(handover_list *list, const struct trace_view *trace);

/* diagram.c: a lane per thread, from top to bottom, a mark per row, arrows, and hatches where a thread could not move.
 */
#define ROW_HEIGHT 22
#define LANES_HEAD 30
void diagram_append(struct text *html, const struct shown_run *run);
/* waits.c: who waits for whom, of a deadlock; nothing of other runs. */
void waits_append(struct text *html, const struct shown_run *run);
/* listing.c: the rows, and the sources beside them. */
void listing_append_rows(struct text *html, const struct shown_run *run);
void listing_append_sources(struct text *html, const struct shown_run *run);
/* covered.c: branches by file, with the lines of those that were not taken. */
void covered_append(struct text *html, const struct report *report, const struct summary *summary);
/* net_picture.c: the unfolding, if the strategy makes one, or how to get it where it is too large for a page. */
void net_append(struct text *html, const struct report *report, const struct summary *summary);

/* The class of what belongs to a thread, which gives it its colour. */
#define THREAD_COLOURS 6

/* A page about one bug. */
void page_append_bug(struct text *html, const struct scene *scene, const struct paths *paths, const char *name);
/* A page about a whole exploration, to report->html. */
struct observer page_observer(struct report *report);

#endif
