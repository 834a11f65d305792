# SPDX-License-Identifier: MIT
# Repairs src/pool.c: the last worker counts down and signals under the mutex.
/planted bug:/d
s/^  if (atomic_fetch_sub(&pool->unfinished, 1) == 1).*/  pthread_mutex_lock(\&pool->mutex);\n&\n  pthread_mutex_unlock(\&pool->mutex);/
