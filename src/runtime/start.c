/* SPDX-License-Identifier: MIT
 *
 * The first thing that happens in a program that heddle built: outside heddle its main is called as it is; under heddle
 * the runtime takes its memory and its channel, remembers what the program is like, and waits for plans.
 */
#include "checkpoint.h"
#include "constructs.h"
#include "executor.h"
#include "fiber.h"
#include "files.h"
#include "input_values.h"
#include "pipes.h"
#include "process.h"
#include "queues.h"
#include "repetition.h"
#include "sharing.h"
#include "signals.h"
#include "trace.h"

#include <errno.h>
#include <sys/mman.h>

extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned __rseq_size __attribute__((weak));

int __real_main(int argc, char **argv, char **environment);

static void map_fixed(uint64_t address, uint64_t size) {
  const long at = system_call(SYS_mmap, address, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  if (at == -ENOMEM)
    executor_die("it may not have as much address space as heddle reserves: lift the limit (ulimit -v unlimited)");
  if (at != (long)address) executor_die("its address space is laid out in an unexpected way");
}

static int parse_number(const char *text) {
  int value = 0;
  while (*text >= '0' && *text <= '9') value = value * 10 + (*text++ - '0');
  return value;
}

static void map_channel(int descriptor) {
  struct channel probe;
  if (system_call(SYS_pread64, descriptor, &probe, sizeof probe, 0) != sizeof probe ||
      probe.magic != HEDDLE_CHANNEL_MAGIC || probe.version != HEDDLE_PROTOCOL_VERSION)
    executor_die("it was built by another version of heddle: build it again");
  const long at = system_call(SYS_mmap, CHANNEL_ADDRESS, probe.size_bytes, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_FIXED_NOREPLACE, descriptor, 0);
  if (at != (long)CHANNEL_ADDRESS) executor_die("cannot map the channel");
  system_call(SYS_close, descriptor);
  rt->channel = (struct channel *)CHANNEL_ADDRESS;
  struct process_knowledge *process = channel_at(rt->channel, rt->channel->knowledge_offset);
  rt->knowledge = &process->known;
  rt->untold = &process->untold;
  rt->generation = rt->channel->generation;
}

/* The kernel writes to a place in main's TLS block, and kills the process when that is protected. */
static void stop_restartable_sequences(void) {
  if (!&__rseq_size || !__rseq_size) return;
  system_call(SYS_rseq, (char *)rt->root_tls + __rseq_offset, 32, 1 /* unregister */, 0x53053053);
}

static void initialise(int descriptor, const char *checkpoints, int argc, char **argv, char **environment) {
  map_fixed(RUNTIME_ADDRESS, (sizeof(struct runtime) + 4095) & ~4095ull);
  map_fixed((uint64_t)WIDE_WORDS, WIDE_WORDS_BYTES);
  map_fixed(SHADOW_ADDRESS, SHADOW_BYTES);
  map_fixed(HELD_ADDRESS, HEDDLE_MAX_THREADS * HELD_BYTES);
  map_channel(descriptor);
  terms_initialise();
  if (rt->channel->symbolic_stdin_bytes) map_fixed(STANDARD_INPUT_ADDRESS, rt->channel->symbolic_stdin_bytes);
  standard_input_initialise();
  rt->argc = argc;
  rt->argv = argv;
  rt->environment = environment;
  executor_initialise();
  rt->total_steps = atomic_load(&rt->channel->heartbeat);
  fiber_initialise();
  stop_restartable_sequences();
  children_initialise();
  pipes_initialise();
  files_initialise();
  queues_initialise();
  constructs_initialise();
  snapshot_initialise();
  repetition_initialise();
  checkpoint_initialise(checkpoints);
  signals_install();
  files_remember();
  attributes_initialise();
  sharing_load_knowledge();
  if (!rt->kernel_threads) signals_start_ticking();
  controlled = true;
  if (rt->channel->isolation != ISOLATION_FORK && !rt->kernel_threads) snapshot_take();
}

static const char *take_from_environment(char **environment, const char *name) {
  const size_t length = string_length(name);
  for (char **entry = environment; *entry; entry++) {
    if (memcmp(*entry, name, length) != 0 || (*entry)[length] != '=') continue;
    const char *value = *entry + length + 1;
    do entry[0] = entry[1];
    while (*entry++);
    return value;
  }
  return NULL;
}

extern void cmocka_set_test_filter(const char *pattern) __attribute__((weak));

/* `heddle test` explores tests of cmocka one by one. */
static void select_test(char **environment) {
  const char *name = take_from_environment(environment, HEDDLE_TEST_CASE_VARIABLE);
  if (name && cmocka_set_test_filter) cmocka_set_test_filter(name);
}

EXPORTED int __wrap_main(int argc, char **argv, char **environment) {
  select_test(environment);
  const char *channel = take_from_environment(environment, HEDDLE_CHANNEL_VARIABLE);
  if (!channel) return __real_main(argc, argv, environment);
  const char *checkpoints = take_from_environment(environment, HEDDLE_CHECKPOINTS_VARIABLE);
  initialise(parse_number(channel), checkpoints, argc, argv, environment);
  executor_serve();
}
