// SPDX-License-Identifier: MIT
// Two connections of sqlite to one database, each adding 1 to a counter that it reads first. A transaction that begins with BEGIN gets
// its lock for writing only when it writes: if the other connection has read, or written, meanwhile, that fails with SQLITE_BUSY, and
// who does not try again has lost the update. -DIMMEDIATE begins with BEGIN IMMEDIATE, and tries that until it succeeds: what was read
// is then still true. -DWAL writes a log ahead instead of a rollback journal.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef WAL
#define JOURNAL "PRAGMA journal_mode=WAL"
#else
#define JOURNAL "PRAGMA journal_mode=DELETE"
#endif

static sqlite3 *connect(void) {
  sqlite3 *database;
  assert(sqlite3_open_v2("counter.db", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) ==
         SQLITE_OK);
  return database;
}

static int run(sqlite3 *database, const char *statement) {
  return sqlite3_exec(database, statement, NULL, NULL, NULL);
}

static int keep(void *value, int count, char **columns, char **names) {
  *(int *)value = atoi(columns[0]);
  return 0;
}

static int counter(sqlite3 *database, int *value) {
  return sqlite3_exec(database, "SELECT n FROM counter", keep, value, NULL);
}

static void add_one(sqlite3 *database) {
  char statement[64];
  int value = 0;
#ifdef IMMEDIATE
  while (run(database, "BEGIN IMMEDIATE") != SQLITE_OK) sched_yield();
#else
  run(database, "BEGIN");
#endif
  counter(database, &value);
  snprintf(statement, sizeof statement, "UPDATE counter SET n = %d", value + 1);
  run(database, statement);
#ifdef IMMEDIATE
  while (run(database, "COMMIT") != SQLITE_OK) sched_yield(); /* somebody may still be reading */
#else
  run(database, "COMMIT");
#endif
}

static void *worker(void *unused) {
  sqlite3 *database = connect();
  add_one(database);
  sqlite3_close(database);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int value = -1;
  sqlite3 *database = connect();
  assert(run(database, JOURNAL) == SQLITE_OK);
  assert(run(database, "CREATE TABLE counter(n)") == SQLITE_OK);
  assert(run(database, "INSERT INTO counter VALUES(0)") == SQLITE_OK);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(counter(database, &value) == SQLITE_OK);
  assert(value == 2);
  assert(sqlite3_close(database) == SQLITE_OK);
  return 0;
}
