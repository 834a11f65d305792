/* SPDX-License-Identifier: MIT
 * LMDB: two writers, one after the other, each with more pages than a transaction keeps in memory, so that some are
 * spilled. */
#include "lmdb.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef KEYS
#define KEYS 3
#endif

static MDB_env *env;
static MDB_dbi dbi;

static void check(int status) {
  if (status) fprintf(stderr, "%s\n", mdb_strerror(status));
  assert(status == 0);
}

static void *write_pages(void *name) {
  char value[2000] = "";
  MDB_txn *txn;
  check(mdb_txn_begin(env, NULL, 0, &txn));
  for (int i = 0; i < KEYS; i++) {
    int number = i;
    MDB_val key = {sizeof number, &number}, data = {sizeof value, value};
    check(mdb_put(txn, dbi, &key, &data, 0));
  }
  check(mdb_txn_commit(txn));
  return NULL;
}

static void open_database(const char *file) {
  char lock[256];
  MDB_txn *txn;
  snprintf(lock, sizeof lock, "%s-lock", file);
  remove(file);
  remove(lock);
  check(mdb_env_create(&env));
  check(mdb_env_set_mapsize(env, 1 << 20));
  check(mdb_env_open(env, file, MDB_NOSUBDIR | MDB_NOSYNC, 0600));
  check(mdb_txn_begin(env, NULL, 0, &txn));
  check(mdb_dbi_open(txn, NULL, 0, &dbi));
  check(mdb_txn_commit(txn));
}

int main(int argc, char **argv) {
  pthread_t threads[2];
  open_database(argc > 1 ? argv[1] : "lmdb_spill.mdb");
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, write_pages, i ? "b" : "a");
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  mdb_env_close(env);
  return 0;
}
