/* SPDX-License-Identifier: MIT
 *
 * Threads that do jobs.
 */
#ifndef TALLY_POOL_H
#define TALLY_POOL_H

struct pool;

struct pool *pool_create(int n_workers);
/* Waits while the queue is full. The pool calls perform(argument) once, from one of its threads. */
void pool_submit(struct pool *pool, void (*perform)(void *), void *argument);
void pool_drain(struct pool *pool); /* returns when every submitted job is done */
void pool_destroy(struct pool *pool);

#endif
