/* SPDX-License-Identifier: MIT
 *
 * One pass over the words. A flag is found in a table of those that matter here; any other flag is for the compiler.
 */
#include "cli/cc_arguments.h"

#include "base/files.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What a flag is to us. A word matches a row if it is equal to it, or starts with it where the row ends in '*'. */
enum flag_role {
  PASSES,  /* clang alone handles the whole command line */
  DROPPED, /* has no place in a static, instrumented build */
  REFUSED,
  COMPILES,
  COMPILES_NEXT, /* takes the next word with it to the compiler */
  LINKS,         /* goes to the link */
  LINKS_NEXT,    /* takes the next word with it to the link */
  COMPILES_AND_LINKS,
};

static const struct {
  const char *flag;
  enum flag_role role;
} flags[] = {
    {"-E", PASSES},
    {"-S", PASSES},
    {"-M", PASSES},
    {"-MM", PASSES},
    {"-fsyntax-only", PASSES},
    {"-###", PASSES},
    {"-dump*", PASSES},
    {"-print-*", PASSES},
    {"--print-*", PASSES},
    {"--version", PASSES},
    {"--help*", PASSES},

    {"-fPIC", DROPPED},
    {"-fpic", DROPPED},
    {"-fPIE", DROPPED},
    {"-fpie", DROPPED},
    {"-pie", DROPPED},
    {"-no-pie", DROPPED},
    {"-nopie", DROPPED},
    {"-static", DROPPED},
    {"-static-pie", DROPPED},
    {"-flto*", DROPPED},
    {"-fno-lto", DROPPED},
    {"-ffat-lto-objects", DROPPED},
    {"-fuse-linker-plugin", DROPPED},
    {"-fwhole-program", DROPPED},
    {"-save-temps*", DROPPED},
    {"-gsplit-dwarf*", DROPPED},
    {"-D_FORTIFY_SOURCE*", DROPPED},
    {"-Wp,-D_FORTIFY_SOURCE*", DROPPED},
    {"-Wp,-U_FORTIFY_SOURCE*", DROPPED},
    {"--coverage", DROPPED},
    {"-fprofile-*", DROPPED},
    {"-ftest-coverage", DROPPED},
    {"-pg", DROPPED},
    {"-p", DROPPED},
    {"-mcmodel=*", DROPPED},

    {"-fsanitize=*", REFUSED},
    {"-m32", REFUSED},
    {"-mx32", REFUSED},
    {"-target", REFUSED},
    {"--target=*", REFUSED},
    {"-fopenmp*", REFUSED},

    {"-undef", COMPILES},

    {"-I", COMPILES_NEXT},
    {"-D", COMPILES_NEXT},
    {"-U", COMPILES_NEXT},
    {"-include", COMPILES_NEXT},
    {"-imacros", COMPILES_NEXT},
    {"-isystem", COMPILES_NEXT},
    {"-idirafter", COMPILES_NEXT},
    {"-iquote", COMPILES_NEXT},
    {"-isysroot", COMPILES_NEXT},
    {"-iprefix", COMPILES_NEXT},
    {"-iwithprefix", COMPILES_NEXT},
    {"-iwithprefixbefore", COMPILES_NEXT},
    {"-Xpreprocessor", COMPILES_NEXT},
    {"-Xassembler", COMPILES_NEXT},
    {"-Xclang", COMPILES_NEXT},
    {"-mllvm", COMPILES_NEXT},
    {"--param", COMPILES_NEXT},

    {"-Xlinker", LINKS_NEXT},
    {"-T", LINKS_NEXT},
    {"-u", LINKS_NEXT},
    {"-z", LINKS_NEXT},
    {"-e", LINKS_NEXT},
    {"-h", LINKS_NEXT},
    {"-T*", LINKS},
    {"-l*", LINKS},
    {"-L*", LINKS},
    {"-Wl,*", LINKS},
    {"-u*", LINKS},
    {"-z*", LINKS},
    {"-s", LINKS},
    {"-rdynamic", LINKS},
    {"-symbolic", LINKS},
    {"-nostdlib", LINKS},
    {"-nostartfiles", LINKS},
    {"-nodefaultlibs", LINKS},
    {"-static-libgcc", LINKS},
    {"-static-libstdc++", DROPPED},
    {"-stdlib=libc++", REFUSED},
    {"-stdlib=libstdc++", COMPILES},
    {"-shared-libgcc", LINKS},
    {"-fuse-ld=*", LINKS},

    {"-pthread", COMPILES_AND_LINKS},
    {"--sysroot=*", COMPILES_AND_LINKS},
    {"-B*", COMPILES_AND_LINKS},
    {"-v", COMPILES_AND_LINKS},
};

enum { FLAGS = sizeof flags / sizeof *flags };

static bool starts_with(const char *word, const char *prefix) {
  return strncmp(word, prefix, strlen(prefix)) == 0;
}

static bool matches(const char *word, const char *pattern) {
  const size_t length = strlen(pattern);
  return pattern[length - 1] == '*' ? strncmp(word, pattern, length - 1) == 0 : strcmp(word, pattern) == 0;
}

static bool ends_with_one_of(const char *name, const char *const *endings) {
  const char *dot = strrchr(name, '.');
  for (; dot && *endings; endings++)
    if (strcmp(dot, *endings) == 0) return true;
  return false;
}

static void add_item(struct cc_arguments *arguments, enum cc_item_kind kind, const char *text, const char *language) {
  const bool is_cxx = kind == CC_C && language && starts_with(language, "c++");
  const struct cc_item item = {kind, text, language, is_cxx, NULL};
  vector_push(&arguments->items, item);
  if (kind == CC_C || kind == CC_ASSEMBLY) arguments->sources++;
  arguments->links_cxx |= is_cxx || (kind == CC_FLAG && strcmp(text, "-lstdc++") == 0);
}

static enum cc_item_kind kind_of_language(const char *language) {
  return starts_with(language, "assembler") ? CC_ASSEMBLY : CC_C;
}

static bool add_input(struct cc_arguments *arguments, const char *name, const char *language, struct error *error) {
  static const char *const c[] = {".c", ".i", NULL}, *const assembly[] = {".s", ".S", ".sx", NULL};
  static const char *const cxx[] = {".cc", ".cpp", ".cxx", ".c++", ".C", ".cp", ".CPP", NULL};
  static const char *const preprocessed_cxx[] = {".ii", NULL}, *const other[] = {".m", ".mm", NULL};
  static const char *const header[] = {".h", ".hh", ".hpp", ".hxx", NULL};
  if (language)
    add_item(arguments, kind_of_language(language), name, language);
  else if (ends_with_one_of(name, c))
    add_item(arguments, CC_C, name, !arguments->cxx ? NULL : strrchr(name, '.')[1] == 'i' ? "c++-cpp-output" : "c++");
  else if (ends_with_one_of(name, cxx))
    add_item(arguments, CC_C, name, "c++");
  else if (ends_with_one_of(name, preprocessed_cxx))
    add_item(arguments, CC_C, name, "c++-cpp-output");
  else if (ends_with_one_of(name, assembly))
    add_item(arguments, CC_ASSEMBLY, name, NULL);
  else if (ends_with_one_of(name, other))
    return error_set(error, "%s: heddle compiles C and C++ only", name);
  else if (ends_with_one_of(name, header) || strcmp(name, "-") == 0)
    arguments->mode = CC_PASS;
  else
    add_item(arguments, CC_FILE, name, NULL);
  return true;
}

static void set_optimisation(struct cc_arguments *arguments, const char *level) {
  static const struct {
    const char *given, *meant;
  } levels[] = {{"", "O1"},  {"0", "O0"}, {"1", "O1"}, {"2", "O2"},   {"3", "O3"},
                {"s", "Os"}, {"z", "Oz"}, {"g", "O1"}, {"fast", "O3"}};
  arguments->optimisation = "O3"; /* as gcc does with -O4 and more */
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
    if (strcmp(level, levels[i].given) == 0) arguments->optimisation = levels[i].meant;
  if (strcmp(level, "fast") == 0) vector_push(&arguments->compile_flags, "-ffast-math");
}

/* Handles flags that set a field of their own; *next is the word after, for those that take it. */
static bool take_setting(struct cc_arguments *arguments, const char *word, const char *next, bool *took_next) {
  if (strcmp(word, "-o") == 0 && next) {
    arguments->output = next;
    *took_next = true;
  } else if (starts_with(word, "-o") && word[2] && !starts_with(word, "-objc"))
    arguments->output = word + 2;
  else if (starts_with(word, "-O"))
    set_optimisation(arguments, word + 2);
  else if (strcmp(word, "-shared") == 0 || strcmp(word, "--shared") == 0)
    arguments->shared = true;
  else if (strcmp(word, "-r") == 0)
    arguments->relocatable = true;
  else if (strcmp(word, "-ffunction-sections") == 0)
    arguments->function_sections = true;
  else if (strcmp(word, "-fdata-sections") == 0)
    arguments->data_sections = true;
  else if (strcmp(word, "--heddle-save-llvm") == 0)
    arguments->saves_llvm = true;
  else if (strcmp(word, "--heddle-line-coverage") == 0)
    arguments->line_coverage = true;
  else if (strcmp(word, "--heddle-follow") == 0)
    arguments->follow = true;
  else
    return false;
  return true;
}

/* "-l z" and "-L directory" become one word. */
static bool take_library(struct cc_arguments *arguments, const char *word, const char *next, bool *took_next) {
  if (!next || (strcmp(word, "-l") != 0 && strcmp(word, "-L") != 0)) return false;
  struct text joined = {0};
  text_append_format(&joined, "%s%s", word, next);
  add_item(arguments, CC_FLAG, cc_arguments_own(arguments, joined.string), NULL);
  *took_next = true;
  return true;
}

static bool take_dependency_flag(struct cc_arguments *arguments, const char *word, const char *next, bool *took_next) {
  const bool file = starts_with(word, "-MF"), target = starts_with(word, "-MT") || starts_with(word, "-MQ");
  const bool makes = strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0;
  if (!file && !target && !makes) return false;
  arguments->names_dependency_file |= file;
  arguments->names_target |= target;
  arguments->makes_dependencies |= makes;
  vector_push(&arguments->compile_flags, word);
  if (!makes && !word[3] && next) {
    vector_push(&arguments->compile_flags, next);
    *took_next = true;
  }
  return true;
}

static bool take_flag(struct cc_arguments *arguments, const char *word, const char *next, bool *took_next,
                      struct error *error) {
  if (take_setting(arguments, word, next, took_next)) return true;
  if (take_dependency_flag(arguments, word, next, took_next)) return true;
  if (take_library(arguments, word, next, took_next)) return true;
  size_t i = 0;
  while (i < FLAGS && !matches(word, flags[i].flag)) i++;
  const enum flag_role role = i < FLAGS ? flags[i].role : COMPILES;
  if (role == COMPILES || role == COMPILES_NEXT || role == COMPILES_AND_LINKS)
    vector_push(&arguments->compile_flags, word);
  if (role == LINKS || role == LINKS_NEXT || role == COMPILES_AND_LINKS) add_item(arguments, CC_FLAG, word, NULL);
  if (role == PASSES) arguments->mode = CC_PASS;
  if (role == REFUSED) return error_set(error, "%s is not supported; leave it out", word);
  *took_next = next && (role == COMPILES_NEXT || role == LINKS_NEXT);
  if (*took_next && role == COMPILES_NEXT) vector_push(&arguments->compile_flags, next);
  if (*took_next && role == LINKS_NEXT) add_item(arguments, CC_FLAG, next, NULL);
  return true;
}

/* Splits the contents of a response file in place, with the quoting rules of gcc. */
static void split_response(struct cc_arguments *arguments, char *text) {
  while (*text) {
    while (isspace((unsigned char)*text)) text++;
    if (!*text) return;
    char *word = text, *end = text;
    char quote = 0;
    for (; *text && (quote || !isspace((unsigned char)*text)); text++) {
      if (*text == '\\' && text[1])
        *end++ = *++text;
      else if (quote ? *text == quote : *text == '"' || *text == '\'')
        quote = quote ? 0 : *text;
      else
        *end++ = *text;
    }
    if (*text) text++;
    *end = 0;
    vector_push(&arguments->all, word);
  }
}

static void expand(struct cc_arguments *arguments, const char *word) {
  struct text contents = {0};
  if (word[0] == '@' && files_exists(word + 1) && files_read(word + 1, &contents, NULL)) {
    if (contents.length) split_response(arguments, contents.string);
    cc_arguments_own(arguments, contents.string);
  } else
    vector_push(&arguments->all, word);
}

static bool sort_words(struct cc_arguments *arguments, struct error *error) {
  const char *language = NULL;
  for (size_t i = 0; i < arguments->all.count; i++) {
    const char *word = arguments->all.items[i];
    const char *next = i + 1 < arguments->all.count ? arguments->all.items[i + 1] : NULL;
    bool took_next = false, good = true;
    if (starts_with(word, "-x")) {
      language = word[2] ? word + 2 : next;
      took_next = !word[2];
      if (language && strcmp(language, "none") == 0) language = NULL;
    } else if (strcmp(word, "-c") == 0) {
      if (arguments->mode == CC_LINK) arguments->mode = CC_COMPILE;
    } else if (word[0] != '-' || !word[1])
      good = add_input(arguments, word, language, error);
    else
      good = take_flag(arguments, word, next, &took_next, error);
    if (!good) return false;
    i += took_next;
  }
  return true;
}

static bool has_input(const struct cc_arguments *arguments) {
  for (size_t i = 0; i < arguments->items.count; i++)
    if (arguments->items.items[i].kind != CC_FLAG) return true;
  return false;
}

bool cc_arguments_parse(struct cc_arguments *arguments, bool cxx, const char *const *words, size_t count,
                        struct error *error) {
  *arguments = (struct cc_arguments){.mode = CC_LINK, .cxx = cxx, .links_cxx = cxx};
  for (size_t i = 0; i < count; i++) expand(arguments, words[i]);
  if (!sort_words(arguments, error)) return false;
  if (!has_input(arguments)) arguments->mode = CC_PASS;
  /* Nobody knows the programs that will contain it, and what it is made of cannot be told apart later. */
  if (arguments->shared || arguments->relocatable) arguments->follow = true;
  if (arguments->mode == CC_COMPILE && arguments->output && arguments->sources > 1)
    return error_set(error, "-c with -o needs exactly one source file");
  return true;
}

const char *cc_arguments_own(struct cc_arguments *arguments, char *string) {
  vector_push(&arguments->owned, string);
  return string;
}

void cc_arguments_free(struct cc_arguments *arguments) {
  for (size_t i = 0; i < arguments->owned.count; i++) free(arguments->owned.items[i]);
  vector_free(&arguments->owned);
  vector_free(&arguments->all);
  vector_free(&arguments->compile_flags);
  vector_free(&arguments->items);
}
