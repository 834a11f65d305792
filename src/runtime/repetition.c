/* SPDX-License-Identifier: MIT
 *
 * Proof that a thread computes forever. When a thread has reached no visible operation for long, it is made to continue
 * one instruction at a time for a while. If it reaches a state that it was in before (the same instruction, registers
 * and memory), and did nothing in between but compute, it will do so again and again: it is parked for good, like a
 * thread that spins on values that do not change (spin.c).
 *
 *     one instruction  a trap; what is not computing (a system call, libc, a model, the clock) ends the attempt
 *     registers        compared with those of a moment before, which is chosen anew after 1, 2, 4, 8, ... instructions,
 *                      so that it comes to lie in the loop, and the loop fits after it (Brent)
 *     memory           where the registers are the same, all memory that the program can write is compared with a copy,
 *                      which is taken anew after 1, 2, 4, ... such moments
 *
 * A loop that looks at memory may end when another thread writes there. While the thread is watched all its accesses
 * call the runtime (sharing.c), so that such a write is seen: what it looks at is shared then, and the run is made
 * again with visible operations in the loop.
 *
 * Nothing here depends on the clock but whether a proof is attempted, and for how long: a trap takes one microsecond,
 * or fifteen in a virtual machine. Without a proof the run is cut short in the end.
 */
#include "repetition.h"
#include "executor.h"
#include "schedule.h"
#include "sharing.h"
#include "snapshot.h"
#include "terms.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#define PAGE 4096ull
#define TRAP_FLAG 0x100
#define RESUME_FLAG 0x10000
#define MOST_PIECES 1024u
#define MOST_COPIED (32ull << 20)
#define MOST_VECTORS 8192u
#define MOST_MOMENTS 256u /* with the same registers, for one choice of them */
#define DEAD_STACK 8192u  /* bytes after the stack pointer that count as well */
#define ALWAYS_DONE 512u  /* instructions, however long they take */
#define VECTORS_MAGIC 0x46505853u
#define VECTORS_MAGIC_AT 464u
#define VECTORS_SIZE_AT 480u

struct piece {
  uint64_t address, size_bytes;
};

struct repetition {
  bool has_copy, touches;
  uint64_t steps_before;         /* rt->total_steps */
  uint32_t n_done, n_next, most; /* instructions: so far, at the next choice of registers, at most */
  uint64_t begun, nanoseconds;   /* by the thread's clock: when, and for how long */
  uint32_t n_moments, next_copy; /* with the registers chosen; when memory is copied next */
  uint64_t lowest;               /* instruction since the copy */
  greg_t registers[NGREG];
  uint32_t vector_bytes; /* 0: no registers were chosen yet */
  char vectors[MOST_VECTORS];
  uint64_t faults; /* of snapshot.c when the copy was taken: no page may have become writable since */
  uint32_t n_pieces;
  struct piece pieces[MOST_PIECES];
  uint64_t copied_bytes;
  char maps[1u << 16];
  char copy[MOST_COPIED];
};

/* Outside what is put back, and what is compared. */
#define the_repetition ((struct repetition *)(RUNTIME_ADDRESS + (59ull << 30)))

void repetition_initialise(void) {
  const long at = system_call(SYS_mmap, the_repetition, sizeof(struct repetition), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (at < 0) executor_die("cannot map the runtime's memory");
}

/* ---- all that the program can write ---- */

static bool add_piece(struct repetition *self, uint64_t address, uint64_t size_bytes) {
  if (size_bytes == 0) return true;
  if (self->n_pieces == MOST_PIECES || self->copied_bytes + size_bytes > MOST_COPIED) return false;
  self->pieces[self->n_pieces++] = (struct piece){address, size_bytes};
  memcpy(self->copy + self->copied_bytes, (const void *)address, size_bytes);
  self->copied_bytes += size_bytes;
  return true;
}

/* A line of /proc/self/maps. Memory that other processes see may be written by them. */
static bool add_mapping(struct repetition *self, const char *line) {
  const char *at = line;
  const uint64_t start = parse_hexadecimal(&at);
  at++;
  const uint64_t end = parse_hexadecimal(&at);
  if (at[2] != 'w' || snapshot_is_ours(start) || executor_owns(start)) return true;
  return at[1] == 'r' && at[4] == 'p' && add_piece(self, start, end - start);
}

static bool add_mappings(struct repetition *self) {
  const int file = (int)system_call(SYS_open, "/proc/self/maps", O_RDONLY);
  if (file < 0) return false;
  size_t length = 0;
  long count;
  while ((count = system_call(SYS_read, file, self->maps + length, sizeof self->maps - 1 - length)) > 0)
    length += (size_t)count;
  system_call(SYS_close, file);
  if (length == sizeof self->maps - 1) return false;
  for (const char *line = self->maps; line < self->maps + length;) {
    if (!add_mapping(self, line)) return false;
    while (*line != '\n') line++;
    line++;
  }
  return true;
}

static bool add_thread(struct repetition *self, const struct thread *thread, uint64_t stack_pointer) {
  const uint64_t low = stack_pointer - DEAD_STACK;
  const uint64_t from = low > thread->stack_bottom ? low : thread->stack_bottom;
  return add_piece(self, arena_address(thread->id), thread->mapped_arena ? thread->arena_used : 0) &&
         (thread->state == ENDED || add_piece(self, from, thread->stack_top - from));
}

static bool take_copy(struct repetition *self, uint64_t stack_pointer) {
  self->n_pieces = 0;
  self->copied_bytes = 0;
  self->faults = snapshot_faults();
  self->touches = false;
  self->lowest = UINT64_MAX;
  if (!add_mappings(self)) return false;
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    const struct thread *thread = &rt->threads[i];
    if (thread->state == ABSENT) continue;
    const uint64_t at = thread == rt->current ? stack_pointer : (uint64_t)thread->stack_pointer;
    if (!add_thread(self, thread, at)) return false;
  }
  self->has_copy = true;
  return true;
}

static bool memory_is_same(const struct repetition *self) {
  const char *copy = self->copy;
  if (self->faults != snapshot_faults()) return false;
  for (uint32_t i = 0; i < self->n_pieces; i++) {
    if (memcmp(copy, (const void *)self->pieces[i].address, self->pieces[i].size_bytes) != 0) return false;
    copy += self->pieces[i].size_bytes;
  }
  return true;
}

/* ---- registers ---- */

static uint32_t size_of_vectors(const char *state) {
  uint32_t magic, size = 512;
  memcpy(&magic, state + VECTORS_MAGIC_AT, sizeof magic);
  if (magic == VECTORS_MAGIC) memcpy(&size, state + VECTORS_SIZE_AT, sizeof size);
  return size;
}

static void choose_registers(struct repetition *self, const mcontext_t *machine) {
  const char *vectors = (const char *)machine->fpregs;
  memcpy(self->registers, machine->gregs, sizeof self->registers);
  self->vector_bytes = size_of_vectors(vectors);
  if (self->vector_bytes > MOST_VECTORS) self->vector_bytes = 0;
  memcpy(self->vectors, vectors, self->vector_bytes);
  self->n_next = 2 * self->n_next;
  self->n_moments = 0;
  self->next_copy = 1;
  self->has_copy = false;
}

static bool registers_are_same(const struct repetition *self, const mcontext_t *machine) {
  const greg_t ignored = TRAP_FLAG | RESUME_FLAG;
  for (int i = REG_R8; i <= REG_RIP; i++)
    if (self->registers[i] != machine->gregs[i]) return false;
  return ((self->registers[REG_EFL] ^ machine->gregs[REG_EFL]) & ~ignored) == 0 && self->vector_bytes &&
         size_of_vectors((const char *)machine->fpregs) == self->vector_bytes &&
         memcmp(self->vectors, machine->fpregs, self->vector_bytes) == 0;
}

/* ---- what is only computing ---- */

static bool is_prefix(uint8_t byte) {
  return byte == 0x66 || byte == 0xf2 || byte == 0xf3 || byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26 ||
         (byte & 0xfe) == 0x64 || (byte & 0xf0) == 0x40;
}

/* Not system calls, nor what reads clocks, counters and random numbers. */
static bool only_computes(const uint8_t *instruction) {
  while (is_prefix(*instruction)) instruction++;
  if (instruction[0] == 0xcd || instruction[0] == 0xcc) return false;
  if (instruction[0] != 0x0f) return true;
  switch (instruction[1]) {
  case 0x01: /* rdtscp and its like */
  case 0x05: /* syscall */
  case 0x31: /* rdtsc */
  case 0x33: /* rdpmc */
  case 0x34: /* sysenter */
  case 0xa2: /* cpuid */ return false;
  case 0xc7: return instruction[2] < 0xc0; /* rdrand, rdseed, rdpid; with an address: compare and exchange */
  default: return true;
  }
}

uint32_t __heddle_slow_read(const void *address, uint64_t size, const struct site *site);
void __heddle_slow_write(void *address, uint64_t size, const struct site *site);
void __heddle_slow_range(const void *address, uint64_t size, const struct site *site, int writes);

/* The runtime is entered to note an access, and for nothing else. */
static bool is_access(uint64_t instruction) {
  return instruction == (uint64_t)__heddle_slow_read || instruction == (uint64_t)__heddle_slow_write ||
         instruction == (uint64_t)__heddle_slow_range;
}

/* False: what the thread does now may depend on more than its registers and memory. */
static bool is_computing(struct repetition *self, uint64_t instruction) {
  if (executor_is_in_runtime(instruction)) return false;
  if (instruction < self->lowest) self->lowest = instruction;
  return instruction < UINT32_MAX && only_computes((const uint8_t *)instruction);
}

/* ---- accesses ---- */

/* Where the runtime returns to when it has noted an access: a trap that leads back to the program. */
void __heddle_after_access(void);
__asm__(".text\n__heddle_after_access:\n\tint3\n");

bool repetition_is_return(uint64_t instruction) {
  return instruction == (uint64_t)__heddle_after_access + 1;
}

/* The runtime works at its own speed. */
static void let_note_access(struct repetition *self, mcontext_t *machine) {
  uint64_t *return_address = (uint64_t *)machine->gregs[REG_RSP];
  self->touches = true;
  rt->current->step_return = *return_address;
  *return_address = (uint64_t)__heddle_after_access;
  machine->gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
}

void repetition_return(void *context) {
  mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
  machine->gregs[REG_RIP] = (greg_t)rt->current->step_return;
  if (rt->stepped != rt->current) return;
  machine->gregs[REG_EFL] |= TRAP_FLAG;
  repetition_step(context);
}

/* ---- steps ---- */

static void stop(struct repetition *self, mcontext_t *machine) {
  rt->stepped = NULL;
  machine->gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
  sharing_set_owner(rt->current);
}

/* It is in a state that it was in before. */
static bool is_proved(struct repetition *self, const mcontext_t *machine) {
  if (!registers_are_same(self, machine)) return false;
  if (self->has_copy && memory_is_same(self)) return true;
  self->n_moments++;
  if (self->n_moments != self->next_copy) return false;
  self->next_copy *= 2;
  if (self->n_moments > MOST_MOMENTS || !take_copy(self, (uint64_t)machine->gregs[REG_RSP])) self->n_done = self->most;
  return false;
}

static uint64_t clock_nanoseconds(void) {
  struct timespec time = {0};
  system_call(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Up to the next choice of registers it would take as long again. */
static bool is_too_slow(const struct repetition *self) {
  return self->n_done >= ALWAYS_DONE && 2 * (clock_nanoseconds() - self->begun) > self->nanoseconds;
}

void repetition_step(void *context) {
  struct repetition *self = the_repetition;
  mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
  const uint64_t instruction = (uint64_t)machine->gregs[REG_RIP];
  const bool is_over = self->n_done++ >= self->most || self->steps_before != rt->total_steps ||
                       rt->stepped != rt->current || !atomic_load(&rt->channel->running);
  if (!is_over && is_access(instruction)) {
    let_note_access(self, machine);
    return;
  }
  if (is_over || !is_computing(self, instruction)) {
    stop(self, machine);
    return;
  }
  if (is_proved(self, machine)) {
    stop(self, machine);
    rt->has_proved = true;
    rt->has_parked |= self->touches;
    schedule_park_for_good(self->lowest);
  }
  if (self->n_done < self->n_next) return;
  choose_registers(self, machine);
  if (is_too_slow(self)) stop(self, machine);
}

/* A thread that can be cancelled at any place, or interrupted by a handler, does not decide alone. */
static bool is_worth_it(void) {
  if (reads_are_symbolic() || rt->trial || rt->needs_fork || rt->current->in_guard || rt->current->cancel_asynchronous)
    return false;
  for (uint32_t i = 0; i < MAX_SIGNALS; i++)
    if (rt->handlers[i].function) return false;
  return true;
}

void repetition_begin(void *context, uint32_t most, uint64_t nanoseconds) {
  struct repetition *self = the_repetition;
  mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
  if (rt->stepped == rt->current || executor_is_in_runtime((uint64_t)machine->gregs[REG_RIP]) || !is_worth_it()) return;
  rt->stepped = rt->current;
  self->has_copy = self->touches = false;
  self->steps_before = rt->total_steps;
  self->n_done = 0;
  self->n_next = 1;
  self->most = most;
  self->begun = clock_nanoseconds();
  self->nanoseconds = nanoseconds;
  self->vector_bytes = 0;
  sharing_set_owner(rt->current);
  machine->gregs[REG_EFL] |= TRAP_FLAG;
}
