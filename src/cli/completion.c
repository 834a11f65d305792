/* SPDX-License-Identifier: MIT
 *
 * heddle completion bash|zsh|fish: a script for the shell, made from the tables of commands, options, strategies and
 * kinds.
 */
#include "cli/commands.h"
#include "cli/options.h"
#include "explore/strategy/strategy.h"
#include "report/kinds.h"

#include <stdio.h>
#include <string.h>

static void print_command_names(void) {
  for (size_t i = 0; command_name(i); i++)
    if (i == 0 || strcmp(command_name(i), command_name(i - 1)) != 0) printf("%s%s", i > 0 ? " " : "", command_name(i));
}

static void print_option_names(void) {
  for (unsigned i = 0; i < OPTIONS; i++) printf("%s%s", i > 0 ? " " : "", option_word(i));
}

static void print_strategies(void) {
  for (unsigned i = 0; strategy_at(i); i++) printf("%s%s", i > 0 ? " " : "", strategy_at(i)->name);
}

static void print_kinds(void) {
  for (size_t i = 0; kind_at(i); i++) printf("%s%s", i > 0 ? " " : "", kind_at(i)->name);
}

/* Words that an option can be followed by: those of its argument "a|b|c", or none. */
static const char *words_of(unsigned option) {
  return strchr(option_argument(option), '|') ? option_argument(option) : NULL;
}

static void print_words(const char *words) {
  for (; *words; words++) putchar(*words == '|' ? ' ' : *words);
}

static void print_bash(void) {
  fputs("# heddle completion bash >/etc/bash_completion.d/heddle\n"
        "_heddle() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "  COMPREPLY=()\n"
        "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
        "    mapfile -t COMPREPLY < <(compgen -W \"",
        stdout);
  print_command_names();
  fputs(" --help --version\" -- \"$word\")\n    return\n  fi\n  case ${COMP_WORDS[1]}:$before in\n"
        "    run:--strategy) mapfile -t COMPREPLY < <(compgen -W \"",
        stdout);
  print_strategies();
  fputs("\" -- \"$word\") ;;\n", stdout);
  for (unsigned i = 0; i < OPTIONS; i++) {
    if (!words_of(i)) continue;
    printf("    run:%s) mapfile -t COMPREPLY < <(compgen -W \"", option_word(i));
    print_words(words_of(i));
    fputs("\" -- \"$word\") ;;\n", stdout);
  }
  fputs("    explain:*) mapfile -t COMPREPLY < <(compgen -W \"", stdout);
  print_kinds();
  fputs(
      "\" -- \"$word\") ;;\n    completion:*) mapfile -t COMPREPLY < <(compgen -W \"bash zsh fish\" -- \"$word\") ;;\n"
      "    run:*)\n      if [[ $word == -* ]]; then mapfile -t COMPREPLY < <(compgen -W \"",
      stdout);
  print_option_names();
  puts("\" -- \"$word\"); fi ;;\n  esac\n}\n"
       "complete -o default -F _heddle heddle");
}

static void print_quoted(const char *words, const char *special) {
  for (; *words; words++) {
    if (strchr(special, *words)) putchar('\\');
    putchar(*words);
  }
}

static void print_zsh(void) {
  puts("#compdef heddle\n# heddle completion zsh >\"${fpath[1]}/_heddle\"\n_heddle() {\n  local -a commands options");
  fputs("  commands=(", stdout);
  for (size_t i = 0; command_name(i); i++) {
    if (i > 0 && strcmp(command_name(i), command_name(i - 1)) == 0) continue;
    printf("\n    \"%s:", command_name(i));
    print_quoted(command_help(i), "\"\\$`:");
    putchar('"');
  }
  fputs(")\n  options=(", stdout);
  for (unsigned i = 0; i < OPTIONS; i++) {
    printf("\n    \"%s[", option_word(i));
    print_quoted(option_help(i), "\"\\$`:[]");
    putchar(']');
    if (words_of(i)) {
      fputs(":value:(", stdout);
      print_words(words_of(i));
      putchar(')');
    } else if (strcmp(option_word(i), "--strategy") == 0) {
      fputs(":strategy:(", stdout);
      print_strategies();
      putchar(')');
    } else if (*option_argument(i)) {
      printf(":%s:_files", option_argument(i));
    }
    putchar('"');
  }
  fputs(")\n  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n  case $words[2] in\n"
        "    run) shift words; ((CURRENT--)); _arguments -S \"$options[@]\" '*:file:_files' ;;\n    explain) compadd ",
        stdout);
  print_kinds();
  puts(" ;;\n    completion) compadd bash zsh fish ;;\n    *) _files ;;\n  esac\n}\n_heddle \"$@\"");
}

static void print_fish(void) {
  puts("# heddle completion fish >~/.config/fish/completions/heddle.fish");
  for (size_t i = 0; command_name(i); i++) {
    if (i > 0 && strcmp(command_name(i), command_name(i - 1)) == 0) continue;
    printf("complete -c heddle -n __fish_use_subcommand -f -a %s -d '", command_name(i));
    print_quoted(command_help(i), "'\\");
    puts("'");
  }
  for (unsigned i = 0; i < OPTIONS; i++) {
    const char *word = option_word(i);
    printf("complete -c heddle -n '__fish_seen_subcommand_from run' -%c %s -d '", word[1] == '-' ? 'l' : 's',
           word + 1 + (word[1] == '-'));
    print_quoted(option_help(i), "'\\");
    putchar('\'');
    if (*option_argument(i)) fputs(" -r", stdout);
    if (words_of(i) || strcmp(word, "--strategy") == 0) {
      fputs(" -f -a '", stdout);
      if (words_of(i))
        print_words(words_of(i));
      else
        print_strategies();
      putchar('\'');
    }
    putchar('\n');
  }
  fputs("complete -c heddle -n '__fish_seen_subcommand_from explain' -f -a '", stdout);
  print_kinds();
  puts("'\ncomplete -c heddle -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'");
}

int completion_main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*print)(void);
  } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
  for (size_t i = 0; argc == 2 && i < sizeof shells / sizeof *shells; i++) {
    if (strcmp(argv[1], shells[i].name) != 0) continue;
    shells[i].print();
    return 0;
  }
  fputs("heddle: usage: heddle completion bash|zsh|fish\n", stderr);
  return 2;
}
