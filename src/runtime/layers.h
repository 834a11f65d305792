/* SPDX-License-Identifier: MIT
 *
 * Layers of saved pages: memory of the program and of the runtime as it was at several moments of one run (layers.c).
 */
#ifndef HEDDLE_RUNTIME_LAYERS_H
#define HEDDLE_RUNTIME_LAYERS_H

#include "runtime.h"

#define MAX_LAYERS 64u

/* From now on layers_restore() can come back here. False: there is memory that cannot be followed; nothing is kept. */
bool layers_push(void);
/* Back to the moment of layer `number`, from 0; the layers after it are forgotten. */
void layers_restore(uint32_t number);
/* All moments are forgotten. Memory stays as it is, at any time. */
void layers_forget(void);
uint32_t layers_count(void);
uint32_t layers_pages(uint32_t number); /* how many pages layers_restore() would copy */

void layers_initialise(void);
bool layers_is_followed(uint64_t address); /* beside the regions of snapshot.c */
void layers_page_will_be_written(uint64_t page);
bool layers_are_busy(void); /* for signals that come at any time */

#endif
