/* SPDX-License-Identifier: MIT
 *
 * The message is cut into blocks of 64 bytes; after it come a bit 1, zeros, and its length in bits, so that the last
 * block is full. Names are those of the standard.
 */
#include "base/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BLOCK_BYTES 64

/* The first bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, unsigned n) {
  return x >> n | x << (32 - n);
}

static void expand(uint32_t w[64], const unsigned char *block) {
  for (int t = 0; t < 16; t++, block += 4)
    w[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
  for (int t = 16; t < 64; t++) {
    const uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
    const uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = s1 + w[t - 7] + s0 + w[t - 16];
  }
}

/* The variables a to h move on by one place in every round; here their names do. */
static void add_block(uint32_t state[8], const unsigned char *block) {
  uint32_t w[64], v[8];
  expand(w, block);
  memcpy(v, state, sizeof v);
#pragma clang loop unroll_count(8)
  for (unsigned t = 0; t < 64; t++) {
    const uint32_t a = v[-t & 7], b = v[(1 - t) & 7], c = v[(2 - t) & 7];
    const uint32_t e = v[(4 - t) & 7], f = v[(5 - t) & 7], g = v[(6 - t) & 7], h = v[(7 - t) & 7];
    const uint32_t sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + constants[t] + w[t];
    const uint32_t sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    v[(3 - t) & 7] += t1;
    v[(7 - t) & 7] = t1 + sum0 + ((a & b) ^ (a & c) ^ (b & c));
  }
  for (int i = 0; i < 8; i++) state[i] += v[i];
}

/* What is left of the message, and what the standard puts after it: one block or two. */
static void add_end(uint32_t state[8], const unsigned char *rest, size_t rest_bytes, uint64_t message_bytes) {
  unsigned char blocks[2 * BLOCK_BYTES] = {0};
  const size_t used = rest_bytes + 9 <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
  if (rest_bytes > 0) memcpy(blocks, rest, rest_bytes);
  blocks[rest_bytes] = 0x80;
  for (int i = 0; i < 8; i++) blocks[used - 1 - (size_t)i] = (unsigned char)(message_bytes * 8 >> (8 * i));
  for (size_t at = 0; at < used; at += BLOCK_BYTES) add_block(state, blocks + at);
}

void sha256_hex(char hex[SHA256_HEX_BYTES], const void *bytes, size_t count) {
  /* Of the square roots of the first eight primes. */
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const unsigned char *at = bytes;
  size_t left = count;
  for (; left >= BLOCK_BYTES; left -= BLOCK_BYTES, at += BLOCK_BYTES) add_block(state, at);
  add_end(state, at, left, count);
  for (int i = 0; i < 8; i++) snprintf(hex + 8 * i, 9, "%08x", state[i]);
}
