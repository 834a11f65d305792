/* SPDX-License-Identifier: MIT
 *
 * The commands of heddle, one file each. argv[0] is the command's name; the result is the exit status.
 */
#ifndef HEDDLE_CLI_COMMANDS_H
#define HEDDLE_CLI_COMMANDS_H

#include <stddef.h>

int cc_main(int argc, char **argv);
int test_main(int argc, char **argv);
int cxx_main(int argc, char **argv);
int run_main(int argc, char **argv);
int replay_main(int argc, char **argv);
int replay_inputs_main(int argc, char **argv);   /* with --inputs among its words */
int replay_sequence_main(int argc, char **argv); /* with --sequence among its words */
int doctor_main(int argc, char **argv);
int completion_main(int argc, char **argv);
int report_main(int argc, char **argv);
int explain_main(int argc, char **argv);
int query_main(int argc, char **argv);
int show_main(int argc, char **argv);
int bench_main(int argc, char **argv);

/* The commands by number; NULL after the last. One may have several rows. */
const char *command_name(size_t i);
const char *command_help(size_t i);

#endif
