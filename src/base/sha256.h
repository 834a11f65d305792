/* SPDX-License-Identifier: MIT
 *
 * SHA-256 (FIPS 180-4), for files of formats that ask for it.
 */
#ifndef HEDDLE_BASE_SHA256_H
#define HEDDLE_BASE_SHA256_H

#include <stddef.h>

#define SHA256_HEX_BYTES 65

/* The digest of the bytes in hexadecimal digits, with a zero byte at the end. */
void sha256_hex(char hex[SHA256_HEX_BYTES], const void *bytes, size_t count);

#endif
