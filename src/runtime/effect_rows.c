/* SPDX-License-Identifier: MIT
 *
 * The rows of abi/effects.def, each under its own name: stubs in instrumented code and models name the row they mean.
 */
#include "effects.h"

#include <arpa/inet.h>
#include <limits.h>
#include <netdb.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <termios.h>
#include <time.h>
#include <utime.h>
#include <wchar.h>

#define READS(n, ...)                                                                                                  \
  { EFFECT_READS, n, ALWAYS, __VA_ARGS__ }
#define WRITES(n, ...)                                                                                                 \
  { EFFECT_WRITES, n, ALWAYS, __VA_ARGS__ }
#define WRITES_IF(when, n, ...)                                                                                        \
  { EFFECT_WRITES, n, when, __VA_ARGS__ }
#define CHANGES(n, ...)                                                                                                \
  { EFFECT_CHANGES, n, ALWAYS, __VA_ARGS__ }
#define CHANGES_REST(n, i)                                                                                             \
  { EFFECT_CHANGES_REST, n, ALWAYS, 0, i, 0 }
#define CHANGES_KEPT(n)                                                                                                \
  { EFFECT_CHANGES_KEPT, n, ALWAYS, 0, 0, 0 }
#define KEEPS(n)                                                                                                       \
  { EFFECT_KEEPS, n, ALWAYS, 0, 0, 0 }
#define STREAM(n)                                                                                                      \
  { EFFECT_STREAM, n, ALWAYS, 0, 0, 0 }
#define PRINTS_FORMAT(n)                                                                                               \
  { EFFECT_PRINTS, n, ALWAYS, 0, false, 0 }
#define PRINTS_LIST(n)                                                                                                 \
  { EFFECT_PRINTS, n, ALWAYS, 0, true, 0 }
#define SCANS_FORMAT(n)                                                                                                \
  { EFFECT_SCANS, n, ALWAYS, 0, false, 0 }
#define SCANS_LIST(n)                                                                                                  \
  { EFFECT_SCANS, n, ALWAYS, 0, true, 0 }
#define PRINTS_INTO(n)                                                                                                 \
  { EFFECT_PRINTS_INTO, n, ALWAYS, 0, 0, 0 }
#define READS_PIECES(n)                                                                                                \
  { EFFECT_PIECES_READ, n, ALWAYS, 0, 0, 0 }
#define WRITES_PIECES(n)                                                                                               \
  { EFFECT_PIECES_WRITTEN, n, ALWAYS, 0, 0, 0 }
#define READS_MESSAGE(n)                                                                                               \
  { EFFECT_MESSAGE_READ, n, ALWAYS, 0, 0, 0 }
#define WRITES_MESSAGE(n)                                                                                              \
  { EFFECT_MESSAGE_WRITTEN, n, ALWAYS, 0, 0, 0 }

#define INT(i) ((i) | 0x80)
#define BYTES(k) SIZE_CONSTANT, k, 0
#define SIZEOF(type) SIZE_CONSTANT, sizeof(type), 0
#define ARGUMENT(i) SIZE_ARGUMENT, i, 1
#define ITEMS(i, k) SIZE_ARGUMENT, i, k
#define PRODUCT(i, j) SIZE_PRODUCT, i, j
#define STRING SIZE_STRING, 0, 0
#define WIDE_STRING SIZE_WIDE_STRING, 0, 0
#define STRING_AT_MOST(i) SIZE_STRING_AT_MOST, i, 0
#define FIRST_STRING(i) SIZE_STRING_AT_MOST, i, 0
#define STRING_WITHIN(k) SIZE_STRING_WITHIN, k, 0
#define FIRST_BYTE(i, j) SIZE_FIRST_BYTE, i, j
#define COPIED(i) SIZE_COPIED, i, 0
#define COPIED_WIDE(i) SIZE_COPIED_WIDE, i, 0
#define RESULT(i) SIZE_RESULT, i, 1
#define RESULT_ITEMS(i, k) SIZE_RESULT, i, k
#define RESULT_AND_ZERO(i) SIZE_RESULT_AND_ZERO, i, 1
#define RESULT_ITEMS_AND_ZERO(i, k) SIZE_RESULT_AND_ZERO, i, k
#define RESULT_OF(k) SIZE_RESULT_OF, k, 0
#define RESULT_PRODUCT(i, j) SIZE_RESULT_PRODUCT, i, j
#define POINTED(i) SIZE_POINTED, i, 0
#define ADDRESS_OF_FAMILY(i) SIZE_ADDRESS, i, 0

#define EFFECTS(name, ...)                                                                                             \
  __attribute__((visibility("default"))) extern const struct effect_row __heddle_effects_##name;                       \
  const struct effect_row __heddle_effects_##name = {#name, {__VA_ARGS__}};
#define NO_EFFECTS(name)
#include "abi/effects.def"
#undef EFFECTS
#undef NO_EFFECTS
