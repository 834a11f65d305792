/* SPDX-License-Identifier: MIT
 *
 * Locks on files: of a whole file by flock(2), of bytes by fcntl(2) and lockf(3) (model_filelock.c).
 */
#ifndef HEDDLE_RUNTIME_FILELOCKS_H
#define HEDDLE_RUNTIME_FILELOCKS_H

#include "abi/channel.h"

#include <stdbool.h>
#include <stdint.h>

#define MAX_LOCKED_DESCRIPTORS 1024u
#define MAX_FILE_LOCKS 256u

/* Whoever opened the file: descriptors that are copies of each other have the same number. */
typedef uint16_t opening_id;   /* 0: not known yet */
#define THE_PROCESS UINT16_MAX /* whose locks of fcntl are those of all its threads */

struct file_lock {
  uint64_t device, inode;
  opening_id opening; /* 0: an unused place */
  bool is_exclusive;
  bool is_range;       /* of fcntl: the two kinds do not see each other */
  int64_t first, last; /* bytes; of flock, all */
};

struct file_locks {
  uint16_t n_openings;
  bool is_used;
  opening_id openings[MAX_LOCKED_DESCRIPTORS]; /* by descriptor */
  struct file_lock locks[MAX_FILE_LOCKS];
};

struct thread;
struct flock;

void filelock_begin_run(void);
void filelock_duplicate(int from, int to); /* the program made `to` a copy of `from` */
void filelock_close(int descriptor, site_id site);
/* For the scheduler: nobody else has the file that the thread wants to lock. */
bool filelock_can_move(const struct thread *thread);
/* Commands of fcntl. */
bool filelock_is_command(int command);
int filelock_control(int descriptor, int command, struct flock *lock, site_id site);

#endif
