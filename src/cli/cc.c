/* SPDX-License-Identifier: MIT
 *
 * heddle cc, heddle c++: compilers of C and C++ whose output is instrumented. Per source: clang to unoptimised bitcode,
 * the instrumenter to an object. Then the link (cc_link.c). What needs no instrumentation (-E, -S, --version, ...) is
 * clang's alone.
 */
#include "cli/cc.h"

#include "base/files.h"
#include "cli/cc_arguments.h"
#include "cli/cc_follow.h"
#include "cli/cc_link.h"
#include "cli/commands.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* gcc 12 only warns about these. They come before the user's flags, which may say otherwise. */
static const char *const tolerant[] = {
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-Wno-unused-command-line-argument",
    "-Wno-deprecated-non-prototype",
};

/* Bitcode before any optimisation, but of a front end that knows optimisation will follow (lifetimes, aliasing, bodies
 * of inline functions), and with headers that do not (no fortified or inline variants of libc's functions). */
static const char *const unoptimised_bitcode[] = {
    "-Xclang",
    "-disable-llvm-passes",
    "-U__OPTIMIZE__",
    "-U_FORTIFY_SOURCE",
    "-D__HEDDLE__=1",
    "-D__NO_CTYPE=", /* isalpha and the like are called: the runtime has models of them */
    "-g",
    "-fno-omit-frame-pointer", /* for src/runtime/stack.c */
    "-fno-pie",
    "-mcx16",
    "-fno-lto",
    "-emit-llvm",
    "-c",
    "-fno-stack-protector",
};

/* Semaphores of C++ are POSIX's. */
static const char *const cxx_flags[] = {"-D_GLIBCXX_USE_POSIX_SEMAPHORE=1"};

#define ADD_ALL(list, words)                                                                                           \
  for (size_t add_index = 0; add_index < sizeof(words) / sizeof *(words); add_index++)                                 \
  vector_push(list, (words)[add_index])

/* A program that is compiled and linked at once follows inputs unless it is larger than this: it can be run with every
 * option then, and is quickly compiled all the same. */
#define MOST_BITCODE_BYTES 262144

struct job {
  struct cc_arguments *arguments;
  char *scratch; /* directory for temporary files */
  bool follows;  /* what is compiled here follows inputs (abi/kept.h) */
};

/* As gcc does, but silently: where there are sources of both languages, a standard is that of its own. */
static bool is_standard_of_other(const char *flag, const struct cc_item *source) {
  return strncmp(flag, "-std=", 5) == 0 && (strstr(flag, "++") != NULL) != source->is_cxx;
}

static void add_user_flags(string_list *command, const struct cc_arguments *arguments, const struct cc_item *source) {
  for (size_t i = 0; i < arguments->compile_flags.count; i++)
    if (!is_standard_of_other(arguments->compile_flags.items[i], source))
      vector_push(command, arguments->compile_flags.items[i]);
}

static void add_heddle_headers(string_list *command, struct cc_arguments *arguments) {
  vector_push(command, "-idirafter");
  vector_push(command, cc_arguments_own(arguments, files_of_heddle("include")));
}

static int run_and_free(string_list *command, struct error *error) {
  vector_push(command, NULL);
  int status;
  const bool started = process_run(command->items, &status, error);
  vector_free(command);
  if (!started) return 1;
  if (status) error_set(error, "compilation failed");
  return status;
}

/* Replaces the extension of a path, or of its last component alone when `in_directory` is false. */
static char *with_extension(const char *path, const char *extension, bool in_directory) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  struct text result = {0};
  if (in_directory) text_append_bytes(&result, path, (size_t)(name - path));
  text_append_bytes(&result, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
  text_append(&result, extension);
  return result.string;
}

/* The object as a normal build would name it, whatever temporary file it goes to. */
static const char *nominal_object(struct cc_arguments *arguments, const char *source) {
  const bool named = arguments->mode == CC_COMPILE && arguments->output;
  return named ? arguments->output : cc_arguments_own(arguments, with_extension(source, ".o", false));
}

/* clang would derive the dependency file and its target from the name of the bitcode. */
static void add_dependency_names(string_list *command, struct cc_arguments *arguments, const char *source) {
  if (!arguments->makes_dependencies) return;
  const char *object = nominal_object(arguments, source);
  if (!arguments->names_dependency_file) {
    const bool from_output = arguments->output && arguments->sources == 1;
    vector_push(command, "-MF");
    char *file = with_extension(from_output ? arguments->output : object, ".d", true);
    vector_push(command, cc_arguments_own(arguments, file));
  }
  if (!arguments->names_target) {
    vector_push(command, "-MQ");
    vector_push(command, object);
  }
}

static void add_list(string_list *command, const struct cc_item *source) {
  if (!source->list) return;
  vector_push(command, "-MD");
  vector_push(command, "-MF");
  vector_push(command, source->list);
}

static void add_source(string_list *command, const struct cc_item *source, const char *output) {
  if (source->language) {
    vector_push(command, "-x");
    vector_push(command, source->language);
  }
  vector_push(command, source->text);
  vector_push(command, "-o");
  vector_push(command, output);
}

/* Some of libstdc++'s headers have a variant for heddle (include/cxx). */
static void add_cxx_flags(string_list *command, struct cc_arguments *arguments) {
  ADD_ALL(command, cxx_flags);
  vector_push(command, "-isystem");
  vector_push(command, cc_arguments_own(arguments, files_of_heddle("include/cxx")));
}

static int make_bitcode(const struct job *job, const struct cc_item *source, const char *bitcode, struct error *error) {
  const char *level = job->arguments->optimisation;
  const bool small = level && (strcmp(level, "Os") == 0 || strcmp(level, "Oz") == 0);
  string_list command = {0};
  vector_push(&command, "clang-19");
  ADD_ALL(&command, tolerant);
  if (source->is_cxx) add_cxx_flags(&command, job->arguments);
  add_user_flags(&command, job->arguments, source);
  vector_push(&command, small ? "-Os" : "-O2");
  ADD_ALL(&command, unoptimised_bitcode);
  add_heddle_headers(&command, job->arguments);
  add_dependency_names(&command, job->arguments, source->text);
  add_list(&command, source);
  add_source(&command, source, bitcode);
  return run_and_free(&command, error);
}

/* Whether debuggers will ask where local variables are. */
static bool wants_variables(const struct cc_arguments *arguments) {
  bool wants = !arguments->optimisation || strcmp(arguments->optimisation, "O0") == 0;
  for (size_t i = 0; i < arguments->compile_flags.count; i++) {
    const char *flag = arguments->compile_flags.items[i];
    if (strncmp(flag, "-g", 2) == 0) wants = strcmp(flag, "-g0") != 0;
  }
  return wants;
}

/* The instrumenter is a program of its own, so that only compiling loads LLVM. */
static int instrument(const struct job *job, const struct cc_item *source, const char *bitcode, const char *object,
                      struct error *error) {
  struct cc_arguments *arguments = job->arguments;
  string_list command = {0};
  vector_push(&command, cc_arguments_own(arguments, files_of_heddle("heddle-instrument")));
  vector_push(&command, source->text);
  vector_push(&command, bitcode);
  vector_push(&command, cc_arguments_own(arguments, files_of_heddle("heddle-hooks.bc")));
  vector_push(&command, object);
  vector_push(&command, arguments->optimisation ? arguments->optimisation : "O0");
  if (arguments->function_sections) vector_push(&command, "function-sections");
  if (arguments->data_sections) vector_push(&command, "data-sections");
  if (arguments->line_coverage) vector_push(&command, "line-coverage");
  if (job->follows) vector_push(&command, "follow");
  if (wants_variables(arguments)) vector_push(&command, "variables");
  if (arguments->saves_llvm) {
    vector_push(&command, "assembly");
    char *assembly = with_extension(nominal_object(arguments, source->text), ".ll", true);
    vector_push(&command, cc_arguments_own(arguments, assembly));
  }
  return run_and_free(&command, error);
}

/* The bitcode goes, and what the object keeps of it is sealed. */
static int finish_object(const struct job *job, const struct cc_item *source, const char *bitcode, const char *object,
                         struct error *error) {
  const int status = instrument(job, source, bitcode, object, error);
  unlink(bitcode);
  return status ? status : !follow_seal(object, error);
}

static int compile_c(const struct job *job, const struct cc_item *source, const char *object, struct error *error) {
  char *bitcode = files_join(job->scratch, "unit.bc");
  int status = make_bitcode(job, source, bitcode, error);
  if (status == 0) status = finish_object(job, source, bitcode, object, error);
  free(bitcode);
  return status;
}

static int assemble(const struct job *job, const struct cc_item *source, const char *object, struct error *error) {
  string_list command = {0};
  vector_push(&command, "clang-19");
  vector_push(&command, "-Wno-unused-command-line-argument");
  add_user_flags(&command, job->arguments, source);
  vector_push(&command, "-c");
  add_dependency_names(&command, job->arguments, source->text);
  add_source(&command, source, object);
  return run_and_free(&command, error);
}

static int make_object(const struct job *job, const struct cc_item *source, const char *object, struct error *error) {
  return source->kind == CC_C ? compile_c(job, source, object, error) : assemble(job, source, object, error);
}

static bool is_source(const struct cc_item *item) {
  return item->kind == CC_C || item->kind == CC_ASSEMBLY;
}

/* What a failed compilation left behind; never a device such as /dev/null. */
static void remove_output(const char *path) {
  struct stat status;
  if (lstat(path, &status) == 0 && S_ISREG(status.st_mode)) unlink(path);
}

/* -c: an object for every source. */
static int compile_all(const struct job *job, struct error *error) {
  int status = 0;
  for (size_t i = 0; i < job->arguments->items.count && status == 0; i++) {
    const struct cc_item *item = &job->arguments->items.items[i];
    if (!is_source(item)) continue;
    const char *object = nominal_object(job->arguments, item->text);
    status = make_object(job, item, object, error);
    if (status) remove_output(object);
  }
  return status;
}

static const char *temporary(const struct job *job, size_t number, const char *extension) {
  struct text path = {0};
  text_append_format(&path, "%s/%zu%s", job->scratch, number, extension);
  return cc_arguments_own(job->arguments, path.string);
}

static uint64_t size_of_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

/* C sources become bitcode first: if one asks for inputs, the code of all of them follows inputs. */
static int make_all_bitcode(struct job *job, struct cc_arguments *arguments, struct error *error) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < arguments->items.count; i++) {
    const struct cc_item *item = &arguments->items.items[i];
    if (item->kind != CC_C) continue;
    const char *bitcode = temporary(job, i, ".bc");
    const int status = make_bitcode(job, item, bitcode, error);
    if (status) return status;
    arguments->follow = arguments->follow || follow_is_mentioned(bitcode);
    bytes += size_of_file(bitcode);
  }
  job->follows = arguments->follow || (!arguments->options_known && bytes <= MOST_BITCODE_BYTES);
  return 0;
}

/* Sources become temporary objects in the arguments' own list, in place. */
static int make_all_objects(const struct job *job, struct cc_arguments *arguments, struct error *error) {
  for (size_t i = 0; i < arguments->items.count; i++) {
    struct cc_item *item = &arguments->items.items[i];
    if (!is_source(item)) continue;
    const char *object = temporary(job, i, ".o");
    const int status = item->kind == CC_C ? finish_object(job, item, temporary(job, i, ".bc"), object, error)
                                          : assemble(job, item, object, error);
    if (status) return status;
    *item = (struct cc_item){.kind = CC_FILE, .text = object};
  }
  return 0;
}

static int compile_and_link(struct job *job, struct cc_arguments *arguments, struct error *error) {
  int status = make_all_bitcode(job, arguments, error);
  if (status == 0) status = make_all_objects(job, arguments, error);
  if (status) return status;
  if (!cc_link(arguments, job->scratch, &status, error)) return 1;
  if (status) error_set(error, "linking failed");
  return status;
}

static int pass_to_clang(struct cc_arguments *arguments, struct error *error) {
  string_list command = {0};
  vector_push(&command, "clang-19");
  if (arguments->cxx) vector_push(&command, "--driver-mode=g++");
  if (arguments->cxx) add_cxx_flags(&command, arguments);
  ADD_ALL(&command, tolerant);
  for (size_t i = 0; i < arguments->all.count; i++) vector_push(&command, arguments->all.items[i]);
  add_heddle_headers(&command, arguments);
  return run_and_free(&command, error);
}

static int compile(struct cc_arguments *arguments, struct error *error) {
  if (arguments->mode == CC_PASS) return pass_to_clang(arguments, error);
  struct job job = {.arguments = arguments, .follows = arguments->follow};
  if (!files_make_temporary_directory(&job.scratch, error)) return 1;
  const int status =
      arguments->mode == CC_COMPILE ? compile_all(&job, error) : compile_and_link(&job, arguments, error);
  files_remove_tree(job.scratch);
  free(job.scratch);
  return status;
}

/* clang and the linker have already said what is wrong. */
static bool said_already(const struct error *error) {
  return strcmp(error->message, "compilation failed") == 0 || strcmp(error->message, "linking failed") == 0;
}

static volatile sig_atomic_t interrupted_by;

static void interrupt(int number) {
  interrupted_by = number;
}

/* Temporary files go first; then the signal ends us as it would have. If it is ignored (nohup), it stays ignored.
 */
static void watch_for_interrupts(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (signal(numbers[i], interrupt) == SIG_IGN) signal(numbers[i], SIG_IGN);
}

static void end_if_interrupted(void) {
  if (!interrupted_by) return;
  signal(interrupted_by, SIG_DFL);
  raise(interrupted_by);
}

static int compiler_main(bool cxx, int argc, char **argv) {
  struct error error = {0};
  struct cc_arguments arguments;
  int status = 1;
  watch_for_interrupts();
  if (cc_arguments_parse(&arguments, cxx, (const char *const *)argv + 1, (size_t)argc - 1, &error))
    status = compile(&arguments, &error);
  end_if_interrupted();
  if (status && error.message[0] && !said_already(&error)) fprintf(stderr, "heddle %s: %s\n", argv[0], error.message);
  cc_arguments_free(&arguments);
  return status;
}

int cc_main(int argc, char **argv) {
  return compiler_main(false, argc, argv);
}

int cxx_main(int argc, char **argv) {
  return compiler_main(true, argc, argv);
}

static void name_lists(struct cc_arguments *arguments, const char *directory) {
  size_t number = 0;
  for (size_t i = 0; i < arguments->items.count && directory; i++) {
    if (arguments->items.items[i].kind != CC_C) continue;
    struct text list = {0};
    text_append_format(&list, "%s/%zu.d", directory, number++);
    arguments->items.items[i].list = cc_arguments_own(arguments, list.string);
  }
}

bool cc_build(const char *const *words, size_t count, const char *output, const char *lists, struct error *error) {
  struct cc_arguments arguments;
  bool good = cc_arguments_parse(&arguments, false, words, count, error);
  if (good && arguments.mode != CC_LINK) good = error_set(error, "these compiler flags do not make an executable");
  if (good) {
    arguments.output = output;
    arguments.options_known = true;
    name_lists(&arguments, lists);
    if (!arguments.optimisation) arguments.optimisation = "O2";
    good = compile(&arguments, error) == 0;
  }
  cc_arguments_free(&arguments);
  return good;
}
