/* SPDX-License-Identifier: MIT
 *
 * Sets of descriptors that epoll watches (epolls.c): each entry names a description of pipes.h, and what is wanted of
 * it.
 */
#ifndef HEDDLE_RUNTIME_EPOLLS_H
#define HEDDLE_RUNTIME_EPOLLS_H

#include "runtime.h"

#define MAX_EPOLLS 16u
#define MAX_EPOLL_ENTRIES 128u

struct description;
struct pipe_state;

struct epoll_entry {
  int descriptor;
  struct description *description;
  uint32_t events;
  uint64_t data;
  bool is_news; /* something has come since it was last told: for EPOLLET */
  bool is_off;  /* EPOLLONESHOT: it was told */
};

struct epoll_state {
  struct object object; /* its address is the number of its first descriptor */
  uint32_t n_entries;
  struct epoll_entry entries[MAX_EPOLL_ENTRIES];
};

struct epoll_entry *epoll_find(struct epoll_state *epoll, int descriptor, const struct description *description);
/* What there is to tell of the entry now, 0 nothing. */
uint32_t epoll_answer(const struct epoll_entry *entry);
bool epoll_is_member(const struct description *description); /* of any */
bool epoll_has_shared(const struct epoll_state *epoll);
uint32_t epoll_count_ready(const struct epoll_state *epoll);
/* Something came into the pipe, or there is more room in it. */
void epoll_note_news(const struct pipe_state *pipe, bool is_input);
/* The same of a socket, by its description. */
void epoll_note_news_of(const struct description *description);
/* The description is closed. */
void epoll_forget(const struct description *description);

#endif
