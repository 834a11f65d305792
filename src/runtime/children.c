/* SPDX-License-Identifier: MIT
 *
 * Starting children, standing still for them, and ending them (children.h).
 *
 * This process is their reaper: what a child leaves behind when it ends comes here, so that all of it can be killed
 * after the run. Signals that could come from a child have a handler that notes them: otherwise one of them would end
 * this process, and look like a crash of the program.
 */
#include "children.h"
#include "checkpoint.h"
#include "child_files.h"
#include "choose.h"
#include "ends.h"
#include "executor.h"
#include "files.h"
#include "frames.h"
#include "model/kinds.h"
#include "models.h"
#include "pipes.h"
#include "queues.h"
#include "sharing.h"
#include "signalling.h"
#include "signals.h"
#include "snapshot.h"
#include "twins.h"
#include "unfollowed.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define FIRST_PAUSE 30000l /* nanoseconds */
#define LONGEST_PAUSE 1000000l
#define ENDER_STACK_BYTES (256u << 10)

/* Shared with the children. */
struct child_report {
  _Atomic uint32_t deed; /* enum child_deed: the first that was reported */
  _Atomic uint32_t is_complete;
  _Atomic uint32_t were_any; /* in this run */
  _Atomic uint32_t is_heard; /* the program has the child's listener */
  _Atomic uint32_t goes_on;  /* the child has seen that */
  _Atomic int spawned;       /* the process that the child has started in its place */
  _Atomic int listener;      /* of the child that is being started (child_files.c); -1: not yet, -2: it has none */
  site_id site;
  _Atomic bool are_others[MAX_CHILDREN]; /* by their places: they have called exec */
};

static struct child_report *report;
static bool is_child;
static uint32_t own_place; /* of this child */

pid_t __real_fork(void);

void children_initialise(void) {
  report = (struct child_report *)system_call(SYS_mmap, RUNTIME_ADDRESS + (60ull << 30) + (3ull << 28), 4096,
                                              PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
                                              -1, 0);
  if ((long)report < 0) executor_die("cannot map the runtime's memory");
  rt->children.object.owner = NO_THREAD;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* In a run of its own process, the children were not this process's. */
void children_begin_run(void) {
  rt->children.object.run = rt->run;
  if (!atomic_load_explicit(&report->were_any, memory_order_relaxed)) return;
  memset(&rt->children, 0, sizeof rt->children);
  memset(report, 0, sizeof *report);
  rt->children.object = (struct object){.run = rt->run, .owner = NO_THREAD};
  child_files_begin_run();
}

/* ---- the table ---- */

struct child *child_of(int pid) {
  for (uint32_t i = 0; i < MAX_CHILDREN; i++)
    if (pid > 0 && rt->children.list[i].pid == pid) return &rt->children.list[i];
  return NULL;
}

static bool end_matters(void) {
  const struct signal_handler *handler = &rt->handlers[SIGCHLD];
  const bool is_handled = handler->function && handler->function != (void *)SIG_IGN;
  return is_handled || self()->signals_blocked & signal_bit(SIGCHLD);
}

static uint32_t find_place(void) {
  for (uint32_t i = 0; i < MAX_CHILDREN; i++)
    if (!rt->children.list[i].pid) return i;
  finish_at_limit("more than 64 child processes at a time");
}

static void add_child(int pid, bool has_copy, site_id site) {
  rt->children.list[own_place] = (struct child){.pid = pid, .has_copy = has_copy, .ender = NO_THREAD, .site = site};
  rt->children.object.version++;
  if (end_matters()) children_watch_ends(site);
}

static bool is_over(const struct child *child) {
  siginfo_t information = {0};
  return system_call(SYS_waitid, P_PID, child->pid, &information, WEXITED | WNOHANG | WNOWAIT, 0) < 0 ||
         information.si_pid;
}

/* Threads share what they and a child use no more than what they themselves use: a child that does more than to become
 * another program may have seen what they wrote between two visible operations. */
static void look_at_copy(const struct child *child) {
  const bool is_another = atomic_load(&report->are_others[child - rt->children.list]);
  if (child->has_copy && !is_another) unfollowed_child("fork while other threads run, and no exec", child->site);
}

static void note_ends(void) {
  for (uint32_t i = 0; i < MAX_CHILDREN; i++) {
    struct child *child = &rt->children.list[i];
    if (!child->pid || child->has_ended || !is_over(child)) continue;
    child->has_ended = true;
    look_at_copy(child);
  }
}

static bool awaits_one(const struct thread *thread) {
  const uint8_t kind = thread->operation.kind;
  return thread->state == AT_OPERATION && !thread->is_made &&
         (kind_need(kind) == NEEDS_PROCESS || kind_need(kind) == NEEDS_READINESS);
}

bool children_are_awaited(void) {
  uint64_t sum;
  if (!rt->children.were_any || child_states_look(&sum) == CHILD_GONE) return false;
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (awaits_one(&rt->threads[i])) return true;
  return false;
}

/* ---- what keeps a run from going on ---- */

static const char *words_of(uint32_t deed) {
  return deed == CHILD_CREATES_THREAD ? "threads of a process that the program forked"
                                      : "a forked process locks a file";
}

static const char late[] = "a child process that, for --hang-time, neither ends nor waits for the program";
static const char outside[] = "a signal from another process";

static bool is_reported(void) {
  return atomic_load(&report->deed) != CHILD_QUIET && atomic_load(&report->is_complete);
}

/* Where the last one was started. */
static site_id last_start(void) {
  site_id site = 0;
  for (uint32_t i = 0; i < MAX_CHILDREN; i++)
    if (rt->children.list[i].pid) site = rt->children.list[i].site;
  return site;
}

void children_stop(const char *why, site_id site) {
  unfollowed_child(why, site);
  finish_run_with_message(OUTCOME_LIMIT, site, 0, why);
}

/* "a child process ... file: PATH" */
static void name_file(char *words) {
  static const char start[] = "a child process uses a file that is the run's own, or changes one: ";
  memcpy(words, start, sizeof start);
  memcpy(words + sizeof start - 1, rt->children.path, string_length(rt->children.path) + 1);
}

static void stop_if_in_trouble(void) {
  if (rt->children.has_asked) {
    char words[sizeof rt->children.path + 128];
    name_file(words);
    children_stop(words, last_start());
  }
  if (is_reported()) children_stop(words_of(atomic_load(&report->deed)), report->site);
  if (rt->children.outside_signal) children_stop(outside, last_start());
  if (!rt->children.is_late) return;
  unfollowed_child(late, last_start());
  finish_run_with_message(OUTCOME_COMPUTES, last_start(), 0, late);
}

static bool is_in_trouble(void) {
  return is_reported() || rt->children.has_asked || rt->children.outside_signal || rt->children.is_late;
}

/* ---- standing still ---- */

static void rest(long *nanoseconds) {
  const struct timespec time = {0, *nanoseconds};
  system_call(SYS_nanosleep, &time, 0);
  if (*nanoseconds < LONGEST_PAUSE) *nanoseconds += *nanoseconds / 2;
}

/* Two looks, between which nobody has run. */
static enum child_state look(void) {
  uint64_t first, second;
  rt->children.has_asked = !child_files_answer(rt->children.path);
  const enum child_state state = child_states_look(&first);
  if (state == CHILD_RUNS || state == CHILD_GONE) return state;
  return child_states_look(&second) == state && first == second ? state : CHILD_RUNS;
}

static enum child_state settle(void) {
  long nanoseconds = FIRST_PAUSE;
  enum child_state state;
  rt->children.is_settling = true;
  while ((state = look()) == CHILD_RUNS && !is_in_trouble()) rest(&nanoseconds);
  rt->children.is_settling = false;
  stop_if_in_trouble();
  note_ends();
  return state;
}

void children_settle(void) {
  if (rt->children.were_any) settle();
}

static bool is_possible(const struct thread *thread) {
  return thread->operation.kind == EVENT_CHILD_WAIT || thread->operation.kind == EVENT_CHILD_END
             ? children_have_ended_for(thread)
             : shared_is_ready(thread);
}

bool children_allow(const struct thread *thread) {
  long nanoseconds = FIRST_PAUSE;
  if (rt->outcome != OUTCOME_NONE || !rt->children.were_any) return is_possible(thread);
  for (;;) {
    const enum child_state state = settle();
    if (is_possible(thread)) return true;
    if (state != CHILD_SLEEPS) return false;
    rt->children.is_settling = true;
    rest(&nanoseconds);
    rt->children.is_settling = false;
  }
}

void children_note_signal(int number) {
  if (number == SIGPIPE) return; /* of our own writing to who has gone */
  if (number == (int)rt->channel->hang_signal)
    rt->children.is_late = true;
  else
    rt->children.outside_signal = number;
}

/* ---- starting ---- */

void children_take_step(uint8_t kind, site_id site) {
  spin_end(self());
  twins_tell_apart(self(), "one of them starts a process");
  schedule_operation((struct operation){.kind = kind, .site = site});
  trace_record(kind, 0, 0, site);
  checkpoint_cannot_hold();
  if (rt->children.were_any) return;
  rt->children.were_any = true;
  atomic_store(&report->were_any, 1);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  signals_expect_from_outside();
}

static void call_exit_handler(void *handler) {
  const struct exit_handler *own = handler;
  own->function(own->argument);
}

int __real___cxa_atexit(void (*function)(void *), void *argument, void *module);

/* The child waits until it is heard; the program, until the child says something or has ended, and again until it no
 * longer waits: otherwise it would be taken for one that sleeps. */
static void ask_about_files(bool asks_to_look) {
  const long listener = child_files_install(asks_to_look);
  long nanoseconds = FIRST_PAUSE;
  atomic_store(&report->listener, listener < 0 ? -2 : (int)listener);
  while (!atomic_load(&report->is_heard)) rest(&nanoseconds);
  atomic_store(&report->goes_on, 1);
  if (listener >= 0) system_call(SYS_close, listener);
}

static void hear(int pid, site_id site) {
  long nanoseconds = FIRST_PAUSE;
  const struct child starting = {.pid = pid};
  while (atomic_load(&report->listener) == -1 && !is_over(&starting)) rest(&nanoseconds);
  if (atomic_load(&report->listener) == -1 || !child_files_listen(pid, atomic_load(&report->listener)))
    unfollowed_child("what a child process does to files", site);
  atomic_store(&report->is_heard, 1);
  while (!atomic_load(&report->goes_on) && !is_over(&starting)) rest(&nanoseconds);
}

/* ---- what is shared ---- */

/* Where memory that is shared with a child was mapped, or something else that both would use; 0 nowhere. */
static site_id find_shared(const char **what) {
  *what = "memory that a child process shares with the program";
  for (uint32_t i = 0; i < rt->n_mappings; i++)
    if (rt->mappings[i].shared_site) return rt->mappings[i].shared_site;
  *what = "a named semaphore that a child process shares with the program";
  for (uint32_t i = 0; i < MAX_NAMED_SEMAPHORES; i++)
    if (rt->named_semaphores[i].run == rt->run && rt->named_semaphores[i].opened) return self()->at_site;
  *what = "a message queue that a child process shares with the program";
  return the_queues->n_queues ? self()->at_site : 0;
}

/* From here on everything is the C library's and the kernel's. */
static void begin_child(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  is_child = true;
  controlled = false;
  __heddle_in_run = __heddle_has_threads = __heddle_has_dead = 0;
  snapshot_release();
  signals_begin_child();
  for (uint32_t i = 0; i < rt->n_exit_handlers; i++)
    __real___cxa_atexit(call_exit_handler, &rt->exit_handlers[i], NULL);
  system_call(SYS_mprotect, rt->channel, rt->channel->size_bytes, PROT_READ);
}

static int start(site_id site, bool is_another) {
  const char *what;
  const bool are_private = files_are_private();
  children_take_step(EVENT_CHILD_START, site);
  const site_id shared = is_another ? 0 : find_shared(&what);
  if (shared) children_stop(what, shared);
  if (!pipes_share(is_another))
    unfollowed_child(
        "starting a process: the child does not have the sockets and timers of the program, which are heddle's", site);
  files_touch();
  atomic_store(&report->listener, -1);
  atomic_store(&report->is_heard, 0);
  atomic_store(&report->goes_on, 0);
  atomic_store(&report->spawned, -EAGAIN);
  own_place = find_place();
  atomic_store(&report->are_others[own_place], is_another);
  const bool asks_to_look = files_are_changed();
  const int pid = (int)__real_fork();
  if (pid == 0) begin_child();
  if (pid == 0 && are_private) ask_about_files(asks_to_look);
  if (pid > 0 && are_private) hear(pid, site);
  return pid;
}

int children_fork(site_id site, bool is_another) {
  const int pid = start(site, is_another);
  if (pid > 0) add_child(pid, !sharing_is_alone(), site);
  return pid;
}

/* Its end; what it has started comes here then, as this process is the reaper. */
static void await_end_of(int pid) {
  const struct child child = {.pid = pid};
  long nanoseconds = FIRST_PAUSE;
  rt->children.is_settling = true;
  while (!is_over(&child) && !is_in_trouble()) {
    rt->children.has_asked = !child_files_answer(rt->children.path);
    rest(&nanoseconds);
  }
  rt->children.is_settling = false;
  stop_if_in_trouble();
  system_call(SYS_wait4, pid, 0, 0, 0);
}

int children_spawn(site_id site, int (*call)(void *, int *), void *data, int *pid) {
  int problem = 0;
  const int helper = start(site, true);
  if (helper < 0) return EAGAIN;
  if (helper == 0) {
    problem = call(data, pid);
    atomic_store(&report->spawned, problem ? -problem : *pid);
    for (;;) system_call(SYS_exit_group, 0);
  }
  await_end_of(helper);
  *pid = atomic_load(&report->spawned);
  if (*pid <= 0) return -*pid;
  add_child(*pid, false, site);
  return 0;
}

/* ---- ends that matter ---- */

static struct child *child_with_ender(const struct thread *thread) {
  for (uint32_t i = 0; i < MAX_CHILDREN; i++)
    if (rt->children.list[i].pid && rt->children.list[i].ender == thread->id) return &rt->children.list[i];
  return NULL;
}

bool children_can_end(const struct thread *ender) {
  const struct child *child = child_with_ender(ender);
  return child && child->has_ended && !child->is_known && rt->exiting == NO_THREAD;
}

/* One step; after it, or after the child was waited for, it stands before a step that is never possible. */
static void *end_child(void *unused) {
  for (;;) {
    schedule_operation((struct operation){.kind = EVENT_CHILD_END, .object = &rt->children.object, .can_block = true});
    struct child *child = child_with_ender(self());
    child->is_known = true;
    rt->children.object.version++;
    rt->signals_sent |= signal_is_wanted(SIGCHLD);
    signal_send_now(EVENT_CHILD_END, SIGCHLD, 0);
  }
  return unused;
}

/* It is none of the program's threads, as that of a timer is none. */
static void make_ender(struct child *child, site_id site) {
  struct thread *thread = thread_create(end_child, NULL, ENDER_STACK_BYTES);
  thread->signals_blocked = UINT64_MAX;
  thread->detached = thread->is_made = true;
  child->ender = thread->id;
  rt->n_live--;
  trace_record(EVENT_THREAD_CREATE, thread->id, 0, site)->value = (uint64_t)end_child;
  schedule_local(thread);
}

void children_watch_ends(site_id site) {
  if (rt->children.were_any && end_matters()) signal_expect();
  for (uint32_t i = 0; i < MAX_CHILDREN; i++) {
    struct child *child = &rt->children.list[i];
    if (child->pid && child->ender == NO_THREAD) make_ender(child, site);
  }
}

/* ---- ending ---- */

static void kill_one(int pid) {
  if (pid != rt->child) system_call(SYS_kill, pid, SIGKILL);
}

void children_kill_all(void) {
  for (uint32_t i = 0; i < MAX_CHILDREN; i++)
    if (rt->children.list[i].pid) kill_one(rt->children.list[i].pid);
  child_states_each(kill_one);
}

/* What they leave behind comes here while they die. */
void children_bury_orphans(void) {
  if (!atomic_load(&report->were_any)) return;
  do children_kill_all();
  while (system_call(SYS_wait4, -1, 0, __WALL, 0) > 0);
}

static void end_at_limit(const char *words, site_id site) {
  unfollowed_child(words, site);
  rt->outcome = OUTCOME_LIMIT;
  rt->outcome_site = site;
  memcpy(rt->message, words, string_length(words) + 1);
}

void children_end_run(void) {
  if (!rt->children.were_any) return;
  for (uint32_t i = 0; i < MAX_CHILDREN; i++)
    if (rt->children.list[i].pid && !rt->children.list[i].has_ended) look_at_copy(&rt->children.list[i]);
  children_bury_orphans();
  if (rt->outcome != OUTCOME_FINISHED) return;
  if (is_reported())
    end_at_limit(words_of(atomic_load(&report->deed)), report->site);
  else if (rt->children.outside_signal)
    end_at_limit(outside, last_start());
}

/* ---- in a child ---- */

void child_becomes_another(void) {
  if (is_child) atomic_store(&report->are_others[own_place], true);
}

void child_report(enum child_deed deed, site_id site) {
  uint32_t quiet = CHILD_QUIET;
  if (!is_child) return;
  if (atomic_compare_exchange_strong(&report->deed, &quiet, deed)) {
    report->site = site;
    atomic_store(&report->is_complete, 1);
  }
  for (;;) system_call(SYS_pause, 0);
}
