/* SPDX-License-Identifier: MIT
 *
 * System calls and small string functions for code that must not touch libc's state (errno above all).
 */
#ifndef HEDDLE_RUNTIME_SYSTEM_H
#define HEDDLE_RUNTIME_SYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

static inline long system_call6(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

#define system_call(number, ...) SYSTEM_CALL_PICK(__VA_ARGS__, 0, 0, 0, 0, 0, 0)(number, __VA_ARGS__)
#define SYSTEM_CALL_PICK(...) system_call_padded
#define system_call_padded(number, ...) SYSTEM_CALL_PAD(number, __VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define SYSTEM_CALL_PAD(number, a, b, c, d, e, f, ...)                                                                 \
  system_call6(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* ld --wrap turns the program's calls of memcpy into the model's only in instrumented code, so this is libc's. */
void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memset(void *memory, int byte, size_t count);
int memcmp(const void *a, const void *b, size_t count);

/* SplitMix64: the whole state of the generator is its seed. */
static inline uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

static inline int strings_equal(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static inline size_t string_length(const char *string) {
  size_t length = 0;
  while (string[length]) length++;
  return length;
}

#endif
