/* SPDX-License-Identifier: MIT
 * LMDB: two threads write, one transaction each, with more pages than a transaction keeps in memory, so that some are
 * spilled. MDB_IDL_LOGN=3 makes that 15 pages instead of 131071. */
#include "lmdb.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#ifndef KEYS
#define KEYS 16
#endif
#define DATABASE "lmdb_spill.mdb"

static MDB_env *env;
static MDB_dbi dbi;

static void check(int status) {
  if (status) fprintf(stderr, "%s\n", mdb_strerror(status));
  assert(status == 0);
}

static void *write_pages(void *unused) {
  char value[2000] = "";
  MDB_txn *txn;
  check(mdb_txn_begin(env, NULL, 0, &txn));
  for (int number = 0; number < KEYS; number++) {
    MDB_val key = {sizeof number, &number}, data = {sizeof value, value};
    check(mdb_put(txn, dbi, &key, &data, 0));
  }
  check(mdb_txn_commit(txn));
  return NULL;
}

/* Every run begins without files of the run before it. */
static void open_database(void) {
  MDB_txn *txn;
  remove(DATABASE);
  remove(DATABASE "-lock");
  check(mdb_env_create(&env));
  check(mdb_env_set_mapsize(env, 1 << 20));
  check(mdb_env_open(env, DATABASE, MDB_NOSUBDIR | MDB_NOSYNC, 0600));
  check(mdb_txn_begin(env, NULL, 0, &txn));
  check(mdb_dbi_open(txn, NULL, 0, &dbi));
  check(mdb_txn_commit(txn));
}

int main(void) {
  pthread_t threads[2];
  open_database();
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, write_pages, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  mdb_env_close(env);
  return 0;
}
