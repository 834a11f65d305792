/* SPDX-License-Identifier: MIT
 *
 * What epoll sets have to tell. An entry is ready as poll says; with EPOLLET only if something has come since it was
 * told last, and with EPOLLONESHOT only until it was told.
 */
#include "epolls.h"
#include "pipes.h"

#include <poll.h>
#include <sys/epoll.h>

struct epoll_entry *epoll_find(struct epoll_state *epoll, int descriptor, const struct description *description) {
  for (uint32_t i = 0; i < epoll->n_entries; i++) {
    struct epoll_entry *entry = &epoll->entries[i];
    if (entry->descriptor == descriptor && entry->description == description) return entry;
  }
  return NULL;
}

uint32_t epoll_answer(const struct epoll_entry *entry) {
  if (entry->is_off || (entry->events & EPOLLET && !entry->is_news)) return 0;
  return (uint32_t)pipe_readiness(entry->description) & (entry->events | EPOLLERR | EPOLLHUP);
}

uint32_t epoll_count_ready(const struct epoll_state *epoll) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < epoll->n_entries; i++) count += epoll_answer(&epoll->entries[i]) != 0;
  return count;
}

bool epoll_has_shared(const struct epoll_state *epoll) {
  for (uint32_t i = 0; i < epoll->n_entries; i++)
    if (epoll->entries[i].description->is_shared) return true;
  return false;
}

bool epoll_is_member(const struct description *description) {
  for (uint32_t i = 0; i < the_pipes->n_epolls; i++)
    for (uint32_t k = 0; k < the_pipes->epolls[i].n_entries; k++)
      if (the_pipes->epolls[i].entries[k].description == description) return true;
  return false;
}

static bool is_about(const struct epoll_entry *entry, const struct pipe_state *pipe, bool is_input) {
  const uint32_t wanted = is_input ? EPOLLIN | EPOLLRDHUP | EPOLLHUP : EPOLLOUT | EPOLLERR;
  const struct pipe_state *own = is_input ? entry->description->input : entry->description->output;
  return own == pipe && (entry->events | EPOLLERR | EPOLLHUP) & wanted;
}

void epoll_note_news_of(const struct description *description) {
  for (uint32_t i = 0; i < the_pipes->n_epolls; i++)
    for (uint32_t k = 0; k < the_pipes->epolls[i].n_entries; k++)
      if (the_pipes->epolls[i].entries[k].description == description) the_pipes->epolls[i].entries[k].is_news = true;
}

void epoll_note_news(const struct pipe_state *pipe, bool is_input) {
  for (uint32_t i = 0; i < the_pipes->n_epolls; i++)
    for (uint32_t k = 0; k < the_pipes->epolls[i].n_entries; k++) {
      struct epoll_entry *entry = &the_pipes->epolls[i].entries[k];
      if (is_about(entry, pipe, is_input)) entry->is_news = true;
    }
}

static void drop(struct epoll_state *epoll, uint32_t at) {
  epoll->n_entries--;
  for (uint32_t i = at; i < epoll->n_entries; i++) epoll->entries[i] = epoll->entries[i + 1];
}

void epoll_forget(const struct description *description) {
  for (uint32_t i = 0; i < the_pipes->n_epolls; i++)
    for (uint32_t k = the_pipes->epolls[i].n_entries; k-- > 0;)
      if (the_pipes->epolls[i].entries[k].description == description) drop(&the_pipes->epolls[i], k);
}
