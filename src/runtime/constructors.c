/* SPDX-License-Identifier: MIT
 *
 * Constructors and destructors of the code that heddle compiled belong to the run. The C library calls the former
 * before main, through stubs (src/instrument/constructors.c): an executor remembers them and calls them when a run
 * begins. The latter stand in .fini_array; nobody else calls them, as an executor's process does not end by exit.
 *
 * Those of other code are called once per process, before all runs, or not at all.
 */
#include "constructors.h"
#include "abi/channel.h"
#include "abi/sites.h"
#include "executor.h"

#define MAX_CONSTRUCTORS 4096u

typedef void constructor(int argc, char **argv, char **environment);

extern void (*__fini_array_start[])(void) __attribute__((weak, visibility("hidden")));
extern void (*__fini_array_end[])(void) __attribute__((weak, visibility("hidden")));
extern char __executable_start[], __etext[];

/* Filled before the start of main, and so part of what is put back. */
static constructor *constructors[MAX_CONSTRUCTORS];
static uint32_t n_constructors;

static bool is_executor(char **environment) {
  const size_t length = sizeof HEDDLE_CHANNEL_VARIABLE - 1;
  for (char **entry = environment; *entry; entry++)
    if (memcmp(*entry, HEDDLE_CHANNEL_VARIABLE, length) == 0 && (*entry)[length] == '=') return true;
  return false;
}

EXPORTED void __heddle_constructor(constructor *function, int argc, char **argv, char **environment);
void __heddle_constructor(constructor *function, int argc, char **argv, char **environment) {
  if (!is_executor(environment))
    function(argc, argv, environment);
  else if (n_constructors < MAX_CONSTRUCTORS)
    constructors[n_constructors++] = function;
  else
    executor_die("it has more than 4096 constructors");
}

void constructors_call(int argc, char **argv, char **environment) {
  for (uint32_t i = 0; i < n_constructors; i++) constructors[i](argc, argv, environment);
}

static bool is_compiled_by_heddle(const void *function) {
  const char *code = function;
  return code >= __executable_start + 8 && code < __etext && ((const uint64_t *)function)[-1] == HEDDLE_CODE_MARK;
}

void destructors_call(void) {
  for (void (**at)(void) = __fini_array_end; at > __fini_array_start;)
    if (is_compiled_by_heddle((const void *)*--at)) (*at)();
}
