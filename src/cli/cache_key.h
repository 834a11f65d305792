/* SPDX-License-Identifier: MIT
 *
 * What an executable depends on besides the files that the compiler reads: the command line, the environment, the
 * current directory, the compiler, the linker and heddle's own parts.
 */
#ifndef HEDDLE_CLI_CACHE_KEY_H
#define HEDDLE_CLI_CACHE_KEY_H

#include "base/sha256.h"
#include "cli/options.h"

/* Whether everything that these words make a build depend on is known. */
bool cache_key_fits(const struct options *options);
/* False if a part of the key cannot be read. */
bool cache_key_make(const struct options *options, char key[SHA256_HEX_BYTES]);
/* The same for an object that is made of these bytes alone. */
bool cache_key_make_object(const void *bytes, size_t count, char key[SHA256_HEX_BYTES]);

#endif
