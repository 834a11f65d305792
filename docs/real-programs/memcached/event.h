/* SPDX-License-Identifier: MIT
 * What memcached's sources need of libevent to be compiled; memcached_items.c has no events. */
#ifndef EVENT_H
#define EVENT_H
#include <stdint.h>
#include <sys/time.h>

#define EV_READ 2
#define EV_PERSIST 16

struct event_base;
struct event {
  int unused;
};

struct event_base *event_init(void);
void event_set(struct event *event, int fd, short which, void (*handler)(int, short, void *), void *argument);
int event_base_set(struct event_base *base, struct event *event);
int event_add(struct event *event, const struct timeval *timeout);
int event_base_loop(struct event_base *base, int flags);

#endif
