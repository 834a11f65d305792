/* SPDX-License-Identifier: MIT
 *
 * Faults: those that snapshot.c asked for, the program's crashes, and the engine's word that a run takes too long. And
 * a tick every few milliseconds of computing, to look for spin loops over memory that is not known to be shared
 * (spin.c) and for threads that compute forever (repetition.c). The handler runs on a stack of its own and uses
 * nothing of libc.
 */
#include "signals.h"
#include "children.h"
#include "executor.h"
#include "layers.h"
#include "repetition.h"
#include "sharing.h"
#include "signalling.h"
#include "snapshot.h"
#include "spin.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

#define TICK_MICROSECONDS 10000
#define TICKS_BEFORE_TRIAL 30
#define MOST_CUT_TRIES 50
#define TICKS_BEFORE_REPETITION 16
#define INSTRUCTIONS_PER_TICK 250u
#define WRITE_FAULT 2 /* of the processor's error code: not a jump into data, which is the program's crash */
#define HANDLER_STACK (RUNTIME_ADDRESS + (60ull << 30)) /* outside what is put back */
#define HANDLER_STACK_BYTES (64u << 10)

int __real_sigaction(int number, const struct sigaction *action, struct sigaction *old);

static bool is_stack_overflow(uint64_t address) {
  const struct thread *thread = self();
  return address < thread->stack_bottom && address >= thread->stack_top - STACK_SLOT_BYTES;
}

static enum outcome outcome_of(int number, uint64_t address) {
  switch (number) {
  case SIGSEGV:
  case SIGBUS: return is_stack_overflow(address) ? OUTCOME_STACK_OVERFLOW : OUTCOME_BAD_ADDRESS;
  case SIGFPE: return OUTCOME_DIVISION;
  default: return OUTCOME_SIGNAL;
  }
}

/* Ever longer, and ever more rarely: one instruction at a time is some thousand times slower. All of it together is an
 * eighth of the time at most. */
static void look_for_repetition(void *context) {
  const bool is_same = rt->steps_at_tick == rt->total_steps && atomic_load(&rt->channel->running);
  rt->computing_ticks = is_same ? rt->computing_ticks + 1 : 0;
  const bool is_power_of_two = !(rt->computing_ticks & (rt->computing_ticks - 1));
  if ((rt->computing_ticks >= TICKS_BEFORE_REPETITION || rt->has_proved) && rt->computing_ticks && is_power_of_two)
    repetition_begin(context, rt->computing_ticks * INSTRUCTIONS_PER_TICK,
                     rt->computing_ticks * (uint64_t)TICK_MICROSECONDS * 1000 / 16);
}

static void tick(void) {
  const bool is_quiet =
      rt->steps_at_tick == rt->total_steps && sharing_is_possible() && atomic_load(&rt->channel->running);
  rt->quiet_ticks = is_quiet ? rt->quiet_ticks + 1 : 0;
  rt->steps_at_tick = rt->total_steps;
  if (!is_quiet) return;
  rt->trial_wanted = rt->quiet_ticks >= TICKS_BEFORE_TRIAL && trial_is_worth_it();
  /* A long computation is suspected less and less often. */
  const bool is_power_of_two = !(rt->quiet_ticks & (rt->quiet_ticks - 1));
  if (rt->trial_wanted || is_power_of_two) spin_suspect(self());
}

extern const char late_load_begin[], late_load_end[], late_load_failed[];

/* A look at memory that may be gone: it fails, and nothing else happens. */
static bool let_peek_fail(ucontext_t *context) {
  greg_t *instruction = &context->uc_mcontext.gregs[REG_RIP];
  if (*instruction < (greg_t)late_load_begin || *instruction >= (greg_t)late_load_end) return false;
  *instruction = (greg_t)late_load_failed;
  return true;
}

/* Where the runtime is at work, the thread's calls cannot be told: a tick or two later they can. */
static void cut(const greg_t *registers) {
  const uint64_t instruction = (uint64_t)registers[REG_RIP];
  if (executor_is_in_runtime(instruction) && --rt->cut_tries > 0) return;
  stack_note(instruction, (uint64_t)registers[REG_RBP], (uint64_t)registers[REG_RSP]);
  executor_end_with(OUTCOME_COMPUTES, 0, 0, instruction);
}

static void handle(int number, siginfo_t *information, void *context) {
  const uint64_t address = (uint64_t)information->si_addr;
  const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const uint64_t instruction = (uint64_t)registers[REG_RIP];
  const bool is_write = number == SIGSEGV && information->si_code == SEGV_ACCERR && registers[REG_ERR] & WRITE_FAULT;
  if (is_write && snapshot_handle_fault(address)) return;
  if ((number == SIGSEGV || number == SIGBUS) && let_peek_fail(context)) return;
  if (number == SIGTRAP && information->si_code == TRAP_TRACE && rt->stepped) {
    repetition_step(context);
    return;
  }
  if (number == SIGTRAP && repetition_is_return(instruction)) {
    repetition_return(context);
    return;
  }
  if (number == SIGVTALRM) {
    if (layers_are_busy()) return;
    if (rt->cut_tries) cut(registers);
    look_for_repetition(context);
    tick();
    return;
  }
  if (number == (int)rt->channel->hang_signal && rt->children.is_settling) {
    children_note_signal(number);
    return;
  }
  if (number == (int)rt->channel->hang_signal) {
    if (rt->child) system_call(SYS_kill, rt->child, number);
    if (!atomic_load(&rt->channel->running) || rt->child) return;
    rt->cut_tries = MOST_CUT_TRIES;
    cut(registers);
    return;
  }
  executor_end_with(outcome_of(number, address), number, address, instruction);
}

void signals_install(void) {
  system_call(SYS_mmap, HANDLER_STACK, HANDLER_STACK_BYTES, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  const stack_t stack = {.ss_sp = (void *)HANDLER_STACK, .ss_size = HANDLER_STACK_BYTES};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
  const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGVTALRM, (int)rt->channel->hang_signal};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (numbers[i]) __real_sigaction(numbers[i], &action, NULL);
}

/* ---- with children ---- */

static void note_outside(int number) {
  children_note_signal(number);
}

static bool is_reserved(int number) {
  return number == SIGKILL || number == SIGSTOP || number == SIGCHLD || number == 32 || number == 33;
}

/* Of what would end this process. */
void signals_expect_from_outside(void) {
  const struct sigaction noted = {.sa_handler = note_outside, .sa_flags = SA_ONSTACK | SA_RESTART};
  struct sigaction before;
  for (int number = 1; number < MAX_SIGNALS; number++) {
    if (is_reserved(number) || __real_sigaction(number, NULL, &before) < 0) continue;
    if (before.sa_handler == SIG_DFL && signal_would_end(number)) __real_sigaction(number, &noted, NULL);
  }
}

/* What the program has set is true in the child; what the runtime has set is not. */
void signals_begin_child(void) {
  struct sigaction now;
  for (int number = 1; number < MAX_SIGNALS; number++) {
    const struct signal_handler *own = &rt->handlers[number];
    if (number == SIGKILL || number == SIGSTOP || __real_sigaction(number, NULL, &now) < 0) continue;
    struct sigaction action = {.sa_handler = SIG_DFL, .sa_flags = own->flags, .sa_mask = {{own->mask}}};
    if (own->function) action.sa_sigaction = (void (*)(int, siginfo_t *, void *))(void *)own->function;
    if (own->function || now.sa_sigaction == handle || now.sa_handler == note_outside)
      __real_sigaction(number, &action, NULL);
  }
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, &self()->signals_blocked, 0, sizeof(uint64_t));
}

void signals_start_ticking(void) {
  const struct timeval interval = {0, TICK_MICROSECONDS};
  const struct itimerval timer = {interval, interval};
  system_call(SYS_setitimer, ITIMER_VIRTUAL, &timer, 0);
}
