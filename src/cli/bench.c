/* SPDX-License-Identifier: MIT
 *
 * heddle bench: measurements that end in a table. A table is a row here and a function that prints it.
 */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

static const struct bench {
  const char *name, *help;
  int (*run)(void);
} tables[] = {
    {NULL, NULL, NULL},
};

static int list_tables(void) {
  if (!tables[0].name) puts("no tables yet");
  for (const struct bench *table = tables; table->name; table++) printf("  %-20s %s\n", table->name, table->help);
  return 0;
}

int bench_main(int argc, char **argv) {
  if (argc < 2) return list_tables();
  for (const struct bench *table = tables; table->name; table++)
    if (strcmp(table->name, argv[1]) == 0) return table->run();
  fprintf(stderr, "heddle: there is no table %s: 'heddle bench' lists them\n", argv[1]);
  return 2;
}
