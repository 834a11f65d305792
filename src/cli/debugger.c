/* SPDX-License-Identifier: MIT
 *
 * heddle stays the parent: it fills the channel with the bug's plan, and gdb starts the program, which finds the
 * channel as an executor does. RUN_KERNEL_THREADS gives every thread a kernel thread (src/runtime/fiber.c). A script
 * tells gdb where to stop, what the threads are called, and that the runtime's frames are not of interest.
 */
#include "cli/debugger.h"

#include "base/files.h"
#include "explore/executor/knowledge.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define NOT_FOUND 127
#define PATIENCE_SECONDS 86400

static const char settings_for_gdb[] = "set confirm off\n"
                                       "set startup-with-shell off\n"
                                       "set disable-randomization on\n"
                                       "set auto-load libthread-db off\n"
                                       "set print thread-events off\n";

/* Frames of the runtime are left out of backtraces, and the innermost frame of the program itself is selected. */
static const char functions[] =
    "def heddle_runtime():\n"
    "    return gdb.parse_and_eval('(struct runtime *)%#llx').dereference()\n"
    "def heddle_is_program(frame):\n"
    "    start, stop = ('(unsigned long)&__%%s_heddle_runtime_code' %% word for word in ('start', 'stop'))\n"
    "    inside = int(gdb.parse_and_eval(start)) <= frame.pc() < int(gdb.parse_and_eval(stop))\n"
    "    return not inside and frame.find_sal().symtab is not None\n"
    "class HeddleFilter:\n"
    "    def __init__(self):\n"
    "        self.name, self.priority, self.enabled = 'heddle', 100, True\n"
    "        gdb.frame_filters[self.name] = self\n"
    "    def filter(self, frames):\n"
    "        return (frame for frame in frames if heddle_is_program(frame.inferior_frame()))\n"
    "HeddleFilter()\n"
    "def heddle_name_threads():\n"
    "    threads = heddle_runtime()['threads']\n"
    "    numbers = {int(threads[i]['kernel_thread']): name for i, name in heddle_names.items()}\n"
    "    for thread in gdb.selected_inferior().threads():\n"
    "        if thread.ptid[1] in numbers: thread.name = numbers[thread.ptid[1]]\n"
    "def heddle_stopped():\n"
    "    if not gdb.selected_inferior().pid: return\n"
    "    heddle_name_threads()\n"
    "    frame = gdb.newest_frame()\n"
    "    while frame and not heddle_is_program(frame): frame = frame.older()\n"
    "    if not frame: return\n"
    "    frame.select()\n"
    "    gdb.execute('frame')\n";

static void append_names(struct text *script, const struct scene *scene) {
  const uint32_t count = knowledge_threads(scene->knowledge);
  text_append(script, "heddle_names = {");
  for (uint32_t i = 0; i < count; i++) {
    text_append_format(script, "%u: '", i);
    describe_thread(script, scene->knowledge, (thread_id)i);
    const char *start = thread_start_routine(scene, (thread_id)i);
    text_append_format(script, "%s%s', ", *start ? " " : "", start);
  }
  text_append(script, "}\n");
}

/* The names of the runtime's functions stand with their files: the program may have functions of the same name. */
static void append_script(struct text *script, const struct scene *scene, uint64_t stop_at) {
  text_append(script, settings_for_gdb);
  text_append(script, "python\n");
  append_names(script, scene);
  text_append_format(script, functions, (unsigned long long)RUNTIME_ADDRESS);
  text_append(script, "end\ntbreak src/runtime/ends.c:finish_run\n");
  if (stop_at)
    text_append_format(script, "tbreak src/runtime/trace.c:event_comes if ((struct runtime *)%#llx)->n_steps == %llu\n",
                       (unsigned long long)RUNTIME_ADDRESS, (unsigned long long)stop_at);
  text_append(script, "run\npython heddle_stopped()\n");
}

typedef VECTOR(const char *) word_list;

static void add_words(word_list *words, const char *const *more) {
  for (; *more; more++) vector_push(words, *more);
}

static void make_command(word_list *command, const struct bundle *bundle, const char *script,
                         const char *const *arguments) {
  static const char *const start[] = {"gdb", "-q", "-x", NULL};
  add_words(command, start);
  vector_push(command, script);
  add_words(command, arguments);
  vector_push(command, "--args");
  vector_push(command, bundle->program);
  add_words(command, (const char *const *)bundle->arguments.items + 1);
  vector_push(command, NULL);
}

static bool run_gdb(const struct finding *finding, const struct executor_settings *settings, const char *const *command,
                    int *status, struct error *error) {
  struct executor *executor = executor_create(settings, error);
  if (!executor) return false;
  finding_submit(finding, executor, 0);
  const bool started = executor_debug(executor, command, status, error);
  executor_destroy(executor);
  if (started && *status == NOT_FOUND) return error_set(error, "cannot run gdb: is it installed?");
  return started;
}

bool debugger_run(const struct bundle *bundle, const struct scene *scene, const struct debugger_settings *settings,
                  int *status, struct error *error) {
  struct text script = {0};
  char *directory;
  if (!files_make_temporary_directory(&directory, error)) return false;
  char *path = files_join(directory, "heddle.gdb");
  append_script(&script, scene, settings->stop_at);
  bool good = files_write(path, text_string(&script), script.length, error);
  word_list command = {0};
  make_command(&command, bundle, path, settings->arguments);
  struct executor_settings executor = *settings->executor;
  executor.isolation = ISOLATION_RESET;
  executor.options |= RUN_KERNEL_THREADS;
  executor.hang_seconds = PATIENCE_SECONDS;
  signal(SIGINT, SIG_IGN); /* Ctrl-C is for gdb */
  good = good && run_gdb(bundle->finding, &executor, command.items, status, error);
  files_remove_tree(directory);
  vector_free(&command);
  text_free(&script);
  free(path);
  free(directory);
  return good;
}
