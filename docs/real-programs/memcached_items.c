/* SPDX-License-Identifier: MIT
 * memcached's items: one thread gets an item while another stores a new one, for which there is memory only where the old
 * one is. Whoever gets an item has a reference, so that it stays what it is until item_remove. */
#include "memcached.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void store(char *key) {
  item *it = item_alloc(key, strlen(key), 0, 0, 64);
  if (!it) return; /* everything is in use */
  memcpy(ITEM_data(it), "value", 5);
  item_link(it);
  item_remove(it);
}

static void *get(void *unused) {
  item *it = item_get("old", 3);
  if (!it) return NULL;
  assert(it->nkey == 3 && memcmp(ITEM_key(it), "old", 3) == 0);
  item_remove(it);
  return NULL;
}

static void *set(void *unused) {
  store("new");
  return NULL;
}

/* A slab has room for one item, and there is memory for one slab. */
static void set_up(void) {
  settings.item_size_max = 128;
  settings.chunk_size = 48;
  settings.factor = 1.25;
  settings.evict_to_free = 1;
  assoc_init(4);
  slabs_init(1, settings.factor, false);
  thread_init(0, NULL);
}

int main(void) {
  pthread_t getter, setter;
  set_up();
  store("old");
  pthread_create(&getter, NULL, get, NULL);
  pthread_create(&setter, NULL, set, NULL);
  pthread_join(getter, NULL);
  pthread_join(setter, NULL);
  return 0;
}

/* Of the server and of libevent: memcached names them beside its locks, and no thread here calls them. */
struct event_base *event_init(void) {
  abort();
}
void event_set(struct event *event, int fd, short which, void (*handler)(int, short, void *), void *argument) {
  abort();
}
int event_base_set(struct event_base *base, struct event *event) {
  abort();
}
int event_add(struct event *event, const struct timeval *timeout) {
  abort();
}
int event_base_loop(struct event_base *base, int flags) {
  abort();
}
void do_accept_new_conns(const bool do_accept) {
  abort();
}
enum delta_result_type do_add_delta(conn *c, const char *key, const size_t nkey, const bool incr, const int64_t delta,
                                    char *buf, uint64_t *cas, const uint32_t hv) {
  abort();
}
enum store_item_type do_store_item(item *it, int comm, conn *c, const uint32_t hv) {
  abort();
}
conn *conn_new(const int sfd, const enum conn_states init_state, const int event_flags, const int read_buffer_size,
               enum network_transport transport, struct event_base *base) {
  abort();
}
void append_stat(const char *name, ADD_STAT add_stats, conn *c, const char *format, ...) {
  abort();
}
time_t process_started;
