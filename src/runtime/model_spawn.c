/* SPDX-License-Identifier: MIT
 *
 * Children that run another program from the first: posix_spawn, system, popen. And calls by which the program itself
 * would become another process, where heddle could not follow it.
 */
#include "children.h"
#include "ends.h"
#include "files.h"
#include "models.h"
#include "snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int __real_execve(const char *path, char *const arguments[], char *const environment[]);

/* ---- posix_spawn ---- */

typedef int spawner(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const *,
                    char *const *);

struct spawning {
  spawner *real;
  const char *path;
  const posix_spawn_file_actions_t *actions;
  const posix_spawnattr_t *attributes;
  char *const *arguments, *const *environment;
};

static int spawn(void *data, int *pid) {
  const struct spawning *all = data;
  return all->real(pid, all->path, all->actions, all->attributes, all->arguments, all->environment);
}

static int spawn_child(struct spawning *all, pid_t *told) {
  const site_id site = take_site();
  pid_t pid = 0;
  model_reads_string(all->path, site);
  const int problem = children_spawn(site, spawn, all, &pid);
  if (!problem) model_store(told, &pid, sizeof pid, site);
  return problem;
}

#define SPAWNS(name)                                                                                                   \
  WRAPPED(int, name,                                                                                                   \
          (pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,                                   \
           const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]),                   \
          (pid, path, actions, attributes, arguments, environment)) {                                                  \
    return spawn_child(&(struct spawning){__real_##name, path, actions, attributes, arguments, environment}, pid);     \
  }

SPAWNS(posix_spawn)
SPAWNS(posix_spawnp)

/* ---- the shell ---- */

static _Noreturn void become_shell(const char *command) {
  char *const arguments[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
  __real_execve("/bin/sh", arguments, environ);
  for (;;) system_call(SYS_exit_group, 127);
}

WRAPPED(int, system, (const char *command), (command)) {
  const site_id site = take_site();
  if (!command) return system_call(SYS_access, "/bin/sh", X_OK) == 0;
  model_reads_string(command, site);
  const int pid = children_fork(site, true);
  if (pid == 0) become_shell(command);
  if (pid < 0) return -1;
  child_of(pid)->is_inner = true;
  return child_wait_inner(pid, site);
}

static bool is_mode(const char *mode, bool *reads, bool *closes) {
  *reads = mode[0] == 'r';
  *closes = false;
  if (mode[0] != 'r' && mode[0] != 'w') return false;
  for (mode++; *mode == 'e' || *mode == 'b'; mode++) *closes |= *mode == 'e';
  return !*mode;
}

/* The program's end of the pipe is a file that only its stream uses, as far as turns are concerned. */
static FILE *open_stream(int descriptor, bool reads, bool closes, int pid) {
  FILE *__real_fdopen(int descriptor, const char *mode);
  if (closes) system_call(SYS_fcntl, descriptor, F_SETFD, FD_CLOEXEC);
  FILE *stream = __real_fdopen(descriptor, reads ? "r" : "w");
  child_of(pid)->stream = stream;
  files_adopt(descriptor);
  return stream;
}

WRAPPED(FILE *, popen, (const char *command, const char *mode), (command, mode)) {
  const site_id site = take_site();
  int ends[2];
  bool reads, closes;
  model_reads_string(command, site);
  model_reads_string(mode, site);
  if (!is_mode(mode, &reads, &closes)) {
    errno = EINVAL;
    return NULL;
  }
  files_touch();
  files_take_descriptors(site);
  const long problem = system_call(SYS_pipe2, ends, O_CLOEXEC);
  const int pid = problem ? -1 : children_fork(site, true);
  if (pid == 0) {
    system_call(SYS_dup2, ends[reads], reads);
    if (ends[reads] == (int)reads) system_call(SYS_fcntl, ends[reads], F_SETFD, 0);
    become_shell(command);
  }
  if (problem) errno = (int)-problem;
  if (pid < 0) return NULL;
  system_call(SYS_close, ends[reads]);
  system_call(SYS_fcntl, ends[!reads], F_SETFD, 0);
  return open_stream(ends[!reads], reads, closes, pid);
}

int __real_fclose(FILE *stream);

int child_close_stream(FILE *stream, struct child *child, site_id site) {
  const int pid = child->pid;
  files_take_stream(stream, site);
  files_close(fileno_unlocked(stream), site);
  child->stream = NULL;
  __real_fclose(stream);
  const int status = child_wait_inner(pid, site);
  return status < 0 ? model_fail(ECHILD) : status;
}

struct child *child_with_stream(const FILE *stream) {
  for (uint32_t i = 0; i < MAX_CHILDREN && rt->children.were_any; i++)
    if (rt->children.list[i].pid && rt->children.list[i].stream == stream) return &rt->children.list[i];
  return NULL;
}

int __wrap_fclose(FILE *stream);

/* glibc's fclose does the same, and its pclose closes any stream. */
WRAPPED(int, pclose, (FILE * stream), (stream)) {
  return __wrap_fclose(stream);
}

/* ---- the program itself ---- */

static const char becomes_another[] = "exec: the program becomes another one";

#define BECOMES(name, parameters, arguments)                                                                           \
  int __real_##name parameters;                                                                                        \
  EXPORTED int __wrap_##name parameters;                                                                               \
  int __wrap_##name parameters {                                                                                       \
    if (controlled) children_stop(becomes_another, take_site());                                                       \
    child_becomes_another();                                                                                           \
    return __real_##name arguments;                                                                                    \
  }

BECOMES(execve, (const char *path, char *const words[], char *const environment[]), (path, words, environment))
BECOMES(execv, (const char *path, char *const words[]), (path, words))
BECOMES(execvp, (const char *file, char *const words[]), (file, words))
BECOMES(execvpe, (const char *file, char *const words[], char *const environment[]), (file, words, environment))
BECOMES(fexecve, (int descriptor, char *const words[], char *const environment[]), (descriptor, words, environment))

static size_t count_words(va_list rest) {
  size_t count = 1;
  va_list copy;
  va_copy(copy, rest);
  while (va_arg(copy, char *)) count++;
  va_end(copy);
  return count;
}

/* Functions with a list of words: in a child, the same with an array. */
#define BECOMES_WITH_LIST(name, call)                                                                                  \
  EXPORTED int __wrap_##name(const char *path, const char *word, ...);                                                 \
  int __wrap_##name(const char *path, const char *word, ...) {                                                         \
    if (controlled) children_stop(becomes_another, take_site());                                                       \
    va_list rest;                                                                                                      \
    va_start(rest, word);                                                                                              \
    const size_t count = count_words(rest);                                                                            \
    char *words[count + 1];                                                                                            \
    words[0] = (char *)word;                                                                                           \
    for (size_t i = 1; i <= count; i++) words[i] = va_arg(rest, char *);                                               \
    child_becomes_another();                                                                                           \
    const int result = call;                                                                                           \
    va_end(rest);                                                                                                      \
    return result;                                                                                                     \
  }

BECOMES_WITH_LIST(execl, __real_execv(path, words))
BECOMES_WITH_LIST(execlp, __real_execvp(path, words))
BECOMES_WITH_LIST(execle, __real_execve(path, words, va_arg(rest, char *const *)))

WRAPPED(int, daemon, (int stays, int keeps_output), (stays, keeps_output)) {
  children_stop("daemon: the program continues as another process", take_site());
}
