/* SPDX-License-Identifier: MIT
 *
 * The memory that an executor shares with its process (abi/channel.h): how large it is, what lies where, and what the
 * process finds in its header.
 */
#include "base/error.h"
#include "explore/executor/executor_internal.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_BYTES 4096u

static uint64_t round_to_page(uint64_t bytes) {
  return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

/* Room for the longest trace: its events, some that are not steps, and what follows them. */
static uint64_t longest_trace_bytes(const struct executor_settings *settings) {
  const uint64_t term_bytes = sizeof(struct term_record) + sizeof(struct decision) + sizeof(struct input_record) +
                              sizeof(struct input_value) + sizeof(struct access);
  return (1u << 20) + ADDITION_BYTES + 2 * settings->coverage_bytes * sizeof(uint32_t) +
         (settings->max_terms ? 1u << 16 : 0) + settings->max_events * (uint64_t)(sizeof(struct event) + 8) +
         settings->max_terms * term_bytes;
}

static void lay_out_channel(struct executor *executor) {
  const struct executor_settings *settings = &executor->settings;
  executor->knowledge_offset = round_to_page(sizeof(struct channel));
  executor->coverage_offset = executor->knowledge_offset + round_to_page(sizeof(struct process_knowledge));
  const uint64_t plans_offset = executor->coverage_offset + round_to_page(coverage_room(settings->coverage_bytes) + 1);
  executor->plans.size_bytes = round_to_page((1u << 20) + 4 * settings->max_events * sizeof(struct step) +
                                             2 * settings->max_terms * sizeof(struct input_value));
  const uint64_t traces_offset = plans_offset + executor->plans.size_bytes;
  executor->traces.size_bytes = round_to_page(4 * longest_trace_bytes(settings));
  executor->channel_bytes = traces_offset + executor->traces.size_bytes;
}

bool executor_create_channel(struct executor *executor, struct error *error) {
  lay_out_channel(executor);
  executor->channel_file = memfd_create("heddle-channel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (executor->channel_file < 0 || ftruncate(executor->channel_file, (off_t)executor->channel_bytes) < 0)
    return error_set_errno(error, "cannot make %llu bytes of shared memory",
                           (unsigned long long)executor->channel_bytes);
  /* The program must not be able to take the memory away from under us. */
  fcntl(executor->channel_file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  void *memory = mmap(NULL, executor->channel_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, executor->channel_file, 0);
  if (memory == MAP_FAILED) return error_set_errno(error, "cannot map shared memory");
  executor->channel = memory;
  executor->traces.bytes = (char *)memory + executor->channel_bytes - executor->traces.size_bytes;
  executor->plans.bytes = executor->traces.bytes - executor->plans.size_bytes;
  executor->plans.ring = &executor->channel->plans;
  executor->traces.ring = &executor->channel->traces;
  return true;
}

void executor_reset_channel(struct executor *executor) {
  struct channel *channel = executor->channel;
  memset(channel, 0, sizeof *channel);
  channel->generation = executor->header.generation + 1;
  channel->magic = HEDDLE_CHANNEL_MAGIC;
  channel->version = HEDDLE_PROTOCOL_VERSION;
  channel->size_bytes = executor->channel_bytes;
  channel->knowledge_offset = executor->knowledge_offset;
  channel->coverage_offset = executor->coverage_offset;
  channel->coverage_bytes = executor->settings.coverage_bytes;
  channel->plan_ring_offset = (uint64_t)(executor->plans.bytes - (char *)channel);
  channel->plan_ring_bytes = executor->plans.size_bytes;
  channel->trace_ring_offset = (uint64_t)(executor->traces.bytes - (char *)channel);
  channel->trace_ring_bytes = executor->traces.size_bytes;
  channel->isolation = executor->isolation;
  channel->options = executor->settings.options;
  channel->max_memory_mb = executor->settings.max_memory_mb;
  channel->max_inputs = executor->settings.max_inputs;
  channel->max_threads = executor->settings.max_threads;
  channel->max_terms = executor->settings.max_terms;
  channel->symbolic_arguments = executor->settings.symbolic_arguments;
  channel->symbolic_argument_bytes = executor->settings.symbolic_argument_bytes;
  channel->symbolic_stdin_bytes = executor->settings.symbolic_stdin_bytes;
  channel->hang_signal = HANG_SIGNAL;
  channel->largest_run = executor->settings.max_events;
  memcpy(&executor->header, channel, SETTINGS_BYTES);
  executor->plans.position = executor->traces.position = 0;
}
