/* SPDX-License-Identifier: MIT
 *
 * Putting the program's memory and descriptors back between runs.
 */
#ifndef HEDDLE_RUNTIME_SNAPSHOT_H
#define HEDDLE_RUNTIME_SNAPSHOT_H

#include "runtime.h"

void snapshot_initialise(void);
void snapshot_take(void);
bool snapshot_has_libraries(void); /* the program is linked with shared ones, whose calls are not replaced */
void snapshot_restore(void);
uint64_t snapshot_faults(void);          /* pages that became writable so far */
bool snapshot_is_ours(uint64_t mapping); /* in the regions of abi/layout.h */
uint64_t parse_hexadecimal(const char **text);
bool snapshot_handle_fault(uint64_t address);                  /* true: it was ours, continue */
void snapshot_make_writable(const void *address, size_t size); /* before the kernel writes there */
/* For layers.c: all that is put back is protected; what runs write to is writable again. */
void snapshot_protect(void);
void snapshot_release(void); /* all can be written, and nothing will be put back */
void snapshot_unprotect(void);
bool snapshot_covers(uint64_t start, uint64_t end);     /* all of it is put back */
void snapshot_copy_page(char *page, const char *saved); /* without the part that is coverage */
void files_remember(void);
void files_restore(void);
void files_touch(void); /* the run opens a descriptor */

#endif
