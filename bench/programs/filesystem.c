/* SPDX-License-Identifier: MIT
 *
 * Filesystem, of Flanagan and Godefroid's paper on dynamic partial order reduction: each of THREADS threads wants a
 * block for its inode and takes the first one that is not busy, beginning at a place that depends on the inode. Inodes
 * and blocks have a lock each. With 26 blocks threads meet only when there are more than 13 of them, each further
 * thread with one other: 2^(THREADS - 13) traces.
 */
#include <pthread.h>
#include <stdbool.h>

#ifndef THREADS
#define THREADS 14
#endif
#ifndef BLOCKS
#define BLOCKS 26
#endif
#ifndef INODES
#define INODES 32
#endif

static pthread_mutex_t inode_locks[INODES], block_locks[BLOCKS];
static int inodes[INODES];
static bool busy[BLOCKS];

static bool take_block(int block, int inode) {
  pthread_mutex_lock(&block_locks[block]);
  const bool is_free = !busy[block];
  if (is_free) {
    busy[block] = true;
    inodes[inode] = block + 1;
  }
  pthread_mutex_unlock(&block_locks[block]);
  return is_free;
}

static void *thread(void *argument) {
  const int inode = (int)(long)argument % INODES;
  pthread_mutex_lock(&inode_locks[inode]);
  if (inodes[inode] == 0)
    for (int block = inode * 2 % BLOCKS; !take_block(block, inode); block = (block + 1) % BLOCKS) continue;
  pthread_mutex_unlock(&inode_locks[inode]);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < INODES; i++) pthread_mutex_init(&inode_locks[i], NULL);
  for (int i = 0; i < BLOCKS; i++) pthread_mutex_init(&block_locks[i], NULL);
  for (long t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, thread, (void *)t);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  return 0;
}
