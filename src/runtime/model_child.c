/* SPDX-License-Identifier: MIT
 *
 * fork and its like, and waiting for children (children.h). A wait is a visible operation that depends on all others.
 * It is possible when a child has ended that it may take; if several have, which one comes first is a choice. With
 * WNOHANG it is always possible: whether a child has ended by then depends on the step of its ender, so that both are
 * explored.
 */
#include "children.h"
#include "choose.h"
#include "ends.h"
#include "models.h"
#include "unfollowed.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- starting ---- */

/* The child has one thread, and leaves heddle: it continues as if it had been started outside. */
WRAPPED(pid_t, fork, (void), ()) {
  return children_fork(take_site(), false);
}

/* A child that only calls exec or _exit, as POSIX demands, sees no difference. */
WRAPPED(pid_t, vfork, (void), ()) {
  return children_fork(take_site(), true);
}

/* ---- which child ---- */

struct wait_request {
  int which; /* as of waitpid */
  int pid;   /* not 0: this one, which may be of system, and others do not see */
};

static bool may_take(const struct wait_request *request, const struct child *child) {
  if (!child->pid) return false;
  if (request->pid) return child->pid == request->pid;
  if (child->is_inner) return false;
  if (request->which > 0) return child->pid == request->which;
  if (request->which == -1) return true;
  const long group = request->which ? -(long)request->which : system_call(SYS_getpgid, 0);
  return system_call(SYS_getpgid, child->pid) == group;
}

/* As far as the program can know. */
static bool is_over(const struct child *child) {
  return child->ender == NO_THREAD ? child->has_ended : child->is_known;
}

static uint32_t count_candidates(const struct wait_request *request) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < MAX_CHILDREN; i++) count += may_take(request, &rt->children.list[i]);
  return count;
}

/* The n-th that has ended, and how many have. One that was seen to have ended comes before those started later. */
static struct child *find_ended(const struct wait_request *request, uint32_t n, uint16_t *count) {
  struct child *found = NULL;
  *count = 0;
  for (uint32_t i = 0; i < MAX_CHILDREN; i++) {
    struct child *child = &rt->children.list[i];
    if (!may_take(request, child) || !is_over(child)) continue;
    if ((*count)++ == n) found = child;
    if (child->was_told) break;
  }
  return found;
}

bool children_have_ended_for(const struct thread *thread) {
  uint16_t count;
  if (thread->operation.kind == EVENT_CHILD_END) return children_can_end(thread);
  const struct wait_request *request = thread->polled;
  return find_ended(request, 0, &count) || count_candidates(request) == 0;
}

/* ---- waiting ---- */

static void take_turn(const struct wait_request *request, bool waits, site_id site, char *frame) {
  struct thread *thread = self();
  struct object *object = &rt->children.object;
  thread->polled = request;
  thread->was_interrupted = false;
  if (!waits) {
    schedule_attempt(EVENT_CHILD_WAIT, object, site, frame);
    return;
  }
  spin_end(thread);
  schedule_operation((struct operation){.kind = EVENT_CHILD_WAIT,
                                        .object = object,
                                        .site = site,
                                        .can_block = true,
                                        .interruption = IS_RESTARTED,
                                        .cancels = true});
  if (cancel_is_due(thread)) cancel_act(site);
}

/* NULL: errno says why, or 0 if none has ended. */
static struct child *await_child(const struct wait_request *request, bool waits, site_id site, char *frame) {
  uint16_t ways;
  if (rt->handlers[SIGCHLD].function == (void *)SIG_IGN && count_candidates(request))
    children_stop("waiting for a child process while SIGCHLD is ignored", site);
  if (!waits) children_watch_ends(site);
  take_turn(request, waits, site, frame);
  errno = EINTR;
  if (self()->was_interrupted) return NULL;
  if (!waits) children_settle();
  find_ended(request, 0, &ways);
  const uint16_t chosen = ways > 1 ? choose_alternative(ways) : 0;
  struct child *child = find_ended(request, chosen, &ways);
  struct event *event = trace_record(child ? EVENT_CHILD_WAIT : EVENT_CHILD_NONE, 0, 0, site);
  event->alternative = chosen;
  event->alternatives = ways ? ways : 1;
  if (child) spin_end(self());
  errno = count_candidates(request) ? 0 : ECHILD;
  return child;
}

static int take_status(struct child *child) {
  int status = 0;
  while (system_call(SYS_wait4, child->pid, &status, 0, 0) == -EINTR) continue;
  *child = (struct child){0};
  rt->children.object.version++;
  return status;
}

int child_wait_inner(int pid, site_id site) {
  const struct wait_request request = {.pid = pid};
  struct child *child;
  do child = await_child(&request, true, site, NULL);
  while (!child && errno == EINTR);
  return child ? take_status(child) : -1;
}

#define LINUX_OPTIONS (WNOHANG | WUNTRACED | WCONTINUED | __WNOTHREAD | __WALL | (int)__WCLONE)

static pid_t wait_for(pid_t which, int *status, int options, struct rusage *usage, char *frame) {
  const site_id site = take_site();
  const struct wait_request request = {.which = which};
  if (options & ~LINUX_OPTIONS) return model_fail(EINVAL);
  if (options & (WUNTRACED | WCONTINUED)) children_stop("waiting for a child process to stop or to continue", site);
  struct child *child = await_child(&request, !(options & WNOHANG), site, frame);
  if (!child) return errno ? -1 : 0;
  const pid_t pid = child->pid;
  const int told = take_status(child);
  model_store(status, &told, sizeof told, site);
  model_store(usage, &(struct rusage){0}, sizeof *usage, site); /* it differs from run to run */
  return pid;
}

WRAPPED(pid_t, waitpid, (pid_t which, int *status, int options), (which, status, options)) {
  return wait_for(which, status, options, NULL, SPIN_FRAME());
}

WRAPPED(pid_t, wait, (int *status), (status)) {
  return wait_for(-1, status, 0, NULL, SPIN_FRAME());
}

WRAPPED(pid_t, wait3, (int *status, int options, struct rusage *usage), (status, options, usage)) {
  return wait_for(-1, status, options, usage, SPIN_FRAME());
}

WRAPPED(pid_t, wait4, (pid_t which, int *status, int options, struct rusage *usage), (which, status, options, usage)) {
  return wait_for(which, status, options, usage, SPIN_FRAME());
}

static int which_of(idtype_t type, id_t id) {
  return type == P_ALL ? -1 : type == P_PID ? (int)id : -(int)id;
}

WRAPPED(int, waitid, (idtype_t type, id_t id, siginfo_t *information, int options), (type, id, information, options)) {
  const site_id site = take_site();
  char *frame = SPIN_FRAME();
  const struct wait_request request = {.which = which_of(type, id)};
  siginfo_t told = {0};
  if (type != P_ALL && type != P_PID && type != P_PGID) children_stop("waitid with a descriptor of a process", site);
  if (!(options & (WEXITED | WSTOPPED | WCONTINUED)) || (type != P_ALL && !id)) return model_fail(EINVAL);
  if (options & (WSTOPPED | WCONTINUED)) children_stop("waiting for a child process to stop or to continue", site);
  struct child *child = await_child(&request, !(options & WNOHANG), site, frame);
  if (!child && errno) return -1;
  if (child) system_call(SYS_waitid, P_PID, child->pid, &told, WEXITED | WNOHANG | WNOWAIT, 0);
  if (child && options & WNOWAIT)
    child->was_told = true;
  else if (child)
    take_status(child);
  model_store(information, &told, sizeof told, site);
  return 0;
}

/* ---- signals ---- */

int child_signal(int target, int signal, site_id site) {
  struct child *child = child_of(target < 0 ? -target : target);
  children_take_step(EVENT_CHILD_SIGNAL, site);
  children_settle();
  if (child && child->has_ended && !child->is_known && !child->was_told && signal)
    unfollowed_child("a signal to a child process that may have ended before", site);
  const long result = system_call(SYS_kill, target, signal);
  return result < 0 ? model_fail((int)-result) : 0;
}
