/* SPDX-License-Identifier: MIT
 *
 * Executables that were built before, in the user's cache directory: $XDG_CACHE_HOME/heddle or ~/.cache/heddle. An
 * entry is used only if building again would make the same executable (cache_key.h, cache_inputs.h). Whatever goes
 * wrong here, the program is built as if there were no cache.
 */
#ifndef HEDDLE_CLI_CACHE_H
#define HEDDLE_CLI_CACHE_H

#include "cli/options.h"

struct cache;

/* NULL: there is no cache, or this build is not to be cached. */
struct cache *cache_open(const struct options *options);
/* True: the executable has been written to that path. */
bool cache_take(struct cache *cache, const char *executable);
/* Keeps what was built since cache_open. The compiler's lists of what it has read are in `directory`, for every source
 * NUMBER.d (cc.h). */
void cache_keep(struct cache *cache, const char *executable, const char *directory);
void cache_close(struct cache *cache); /* NULL is fine */

/* The same for an object that is compiled again from the module it keeps (cc_follow.h): it depends on nothing but the
 * record of that and heddle's own parts. */
struct cache *cache_open_object(const void *record, size_t bytes);
bool cache_take_object(struct cache *cache, const char *object);
void cache_keep_object(struct cache *cache, const char *object);

#endif
