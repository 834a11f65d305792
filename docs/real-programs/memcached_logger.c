// SPDX-License-Identifier: MIT
// memcached's logger thread, started and stopped, as at the start and the end of the server. What the rest of memcached has is empty here.
#include <stdarg.h>

#include "memcached.h"

struct stats stats;
struct stats_state stats_state;
struct settings settings;
volatile rel_time_t current_time;

void STATS_LOCK(void) {}
void STATS_UNLOCK(void) {}
void thread_setname(pthread_t thread, const char *name) {}
void sidethread_conn_close(conn *c) {}
bool uriencode(const char *source, char *target, const size_t source_length, const size_t target_length) {
  return false;
}

int main(void) {
  settings.logger_buf_size = settings.logger_watcher_buf_size = 1024;
  logger_init();
  logger_stop();
  return 0;
}
