/* SPDX-License-Identifier: MIT
 *
 * Code that is not followed, where that voids a proof:
 *   - a function that heddle did not compile and that is not the C library's is called while another thread could do
 *     something at the same time. While a thread is alone, what such a function does comes before or after all that
 *     others do, and nothing is lost;
 *   - a function of the C library that is in no table is handed memory that several threads use;
 *   - the program makes a system call of its own that heddle does not know;
 *   - a call would wait for a descriptor of which heddle knows nothing;
 *   - a child that the program forked creates threads: nobody explores their schedules.
 *
 * Functions that heddle compiled begin after HEDDLE_CODE_MARK. For direct calls the link knows: a module that defines
 * `f` for others also defines the symbol __heddle_followed_f.
 */
#include "unfollowed.h"
#include "abi/sites.h"
#include "awaits.h"
#include "checkpoint.h"
#include "cxx.h"
#include "ends.h"
#include "schedule.h"
#include "sharing.h"
#include "warnings.h"

#include <fcntl.h>
#include <poll.h>

extern char __start_heddle_runtime_code[] __attribute__((weak));
extern char __stop_heddle_runtime_code[] __attribute__((weak));
extern const void *const __start_heddle_harmless[] __attribute__((weak));
extern const void *const __stop_heddle_harmless[] __attribute__((weak));
extern char __executable_start[], __etext[], __init_array_start[];
extern char __heddle_cxx_begin[] __attribute__((weak)), __heddle_cxx_end[] __attribute__((weak)); /* libstdc++ */

/* ---- saying so ---- */

static void append(char *message, const char *words) {
  size_t length = string_length(message);
  for (; *words && length < sizeof((struct warning *)0)->message - 1; words++) message[length++] = *words;
  message[length] = 0;
}

static void warn(site_id site, const char *function, const char *words, const void *address) {
  struct warning warning = {.kind = WARNING_NOT_FOLLOWED,
                            .site = site,
                            .thread = self()->id,
                            .other_thread = NO_THREAD,
                            .address = (uint64_t)address};
  if (warnings_has(WARNING_NOT_FOLLOWED, site, 0)) return;
  append(warning.message, function);
  append(warning.message, words);
  warnings_add(&warning);
}

/* ---- code ---- */

static bool is_within(const void *address, const char *start, const char *stop) {
  return (const char *)address >= start && (const char *)address < stop;
}

static bool is_harmless(const void *function) {
  for (const void *const *at = __start_heddle_harmless; at < __stop_heddle_harmless; at++)
    if (*at == function) return true;
  return false;
}

static bool is_cxx_library(const void *function) {
  return is_within(function, __heddle_cxx_begin, __heddle_cxx_end);
}

static bool is_followed(const void *function) {
  if (is_within(function, __start_heddle_runtime_code, __stop_heddle_runtime_code)) return true;
  if (is_cxx_library(function)) return true; /* __heddle_virtual looks at its object */
  if (!is_within(function, __executable_start, __etext)) return is_harmless(function);
  return ((const uint64_t *)function)[-1] == HEDDLE_CODE_MARK || is_harmless(function);
}

/* An address where nothing can be is the program's own trouble. */
static bool is_no_function(const void *function) {
  return (uint64_t)function < (uint64_t)__executable_start;
}

static const char not_compiled[] = " is code that heddle did not compile, called while other threads run";

/* What is called may do anything. */
EXPORTED void __heddle_slow_opaque_call(void);
void __heddle_slow_opaque_call(void) {
  rehearsal_check();
}

EXPORTED void __heddle_slow_foreign(const struct site *site);
void __heddle_slow_foreign(const struct site *site) {
  rehearsal_check();
  checkpoint_cannot_hold();
  if (!sharing_is_alone()) warn((site_id)(uint64_t)site, site->variable, not_compiled, NULL);
}

EXPORTED void __heddle_slow_indirect(const void *function, const struct site *site);
void __heddle_slow_indirect(const void *function, const struct site *site) {
  if (is_no_function(function) || is_followed(function)) return;
  rehearsal_check();
  checkpoint_cannot_hold();
  if (sharing_is_alone()) return;
  warn((site_id)(uint64_t)site, "what a pointer points to", not_compiled, function);
}

void unfollowed_look_at(const void *function, site_id site) {
  if (is_no_function(function) || is_followed(function)) return;
  warn(site, "the function", not_compiled, function);
}

/* ---- memory ---- */

static bool is_constant(uint64_t address) {
  return address < (uint64_t)__init_array_start || address >> 47;
}

/* What it does there is taken for a write of everything: if that is shared, something is lost. */
static bool touches_shared(uint64_t address, uint64_t variable, uint64_t size) {
  if (is_constant(address) || cxx_library_has(address) || !sharing_is_possible()) return false;
  return sharing_touch(address, opaque_bytes_behind(address, variable, size), true);
}

EXPORTED void __heddle_slow_unlisted(const void *address, const void *variable, uint64_t size, const struct site *site);
void __heddle_slow_unlisted(const void *address, const void *variable, uint64_t size, const struct site *site) {
  rehearsal_check();
  checkpoint_cannot_hold();
  if (!touches_shared((uint64_t)address, (uint64_t)variable, size)) return;
  warn((site_id)(uint64_t)site, site->variable,
       " gets memory that threads share, and heddle does not know what it does there", NULL);
}

EXPORTED void __heddle_slow_virtual(const void *function, const void *object, const struct site *site);
void __heddle_slow_virtual(const void *function, const void *object, const struct site *site) {
  if (!is_cxx_library(function)) return;
  checkpoint_cannot_hold();
  if (!touches_shared((uint64_t)object, 0, 0)) return;
  warn((site_id)(uint64_t)site, "a virtual function of libstdc++",
       " gets memory that threads share, and heddle does not know what it does there", function);
}

void unfollowed_keeps(const char *function, uint64_t address, site_id site) {
  if (address && touches_shared(address, 0, 0))
    warn(site, function, " keeps a pointer to memory that threads share, and may use it later", NULL);
}

void unfollowed_part(const char *function, site_id site) {
  if (!sharing_is_alone()) warn(site, function, ": heddle cannot tell everything that it reads and writes", NULL);
}

/* ---- system calls ---- */

static void append_number(char *message, unsigned long number) {
  char digits[24];
  size_t at = sizeof digits - 1;
  digits[at] = 0;
  do digits[--at] = (char)('0' + number % 10);
  while (number /= 10);
  append(message, digits + at);
}

void unfollowed_system_call(long number, site_id site) {
  char name[64] = "system call ";
  checkpoint_cannot_hold();
  append_number(name, (unsigned long)number);
  warn(site, name, ": heddle does not know what it does, or whether it waits", NULL);
}

void unfollowed_request(unsigned long request, site_id site) {
  char name[64] = "ioctl ";
  checkpoint_cannot_hold();
  append_number(name, request);
  warn(site, name, ": heddle does not know what it does, or whether it waits", NULL);
}

static bool is_nonblocking(int descriptor) {
  return system_call(SYS_fcntl, descriptor, F_GETFL) & O_NONBLOCK;
}

void unfollowed_wait(int descriptor, short events, const char *call) {
  struct pollfd entry = {descriptor, events, 0};
  char message[128] = "";
  if (system_call(SYS_poll, &entry, 1, 0) != 0 || is_nonblocking(descriptor)) return;
  take_site();
  append(message, call);
  append(message, " would wait for a descriptor of a kind that heddle does not model");
  finish_at_limit(message);
}

/* ---- children ---- */

void unfollowed_child(const char *what, site_id site) {
  warn(site, what, "", NULL);
}
