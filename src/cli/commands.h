/* SPDX-License-Identifier: MIT
 *
 * The commands of heddle, one file each. argv[0] is the command's name; the result is the exit status.
 */
#ifndef HEDDLE_CLI_COMMANDS_H
#define HEDDLE_CLI_COMMANDS_H

int cc_main(int argc, char **argv);
int cxx_main(int argc, char **argv);
int run_main(int argc, char **argv);
int replay_main(int argc, char **argv);
int replay_inputs_main(int argc, char **argv);   /* with --inputs among its words */
int replay_sequence_main(int argc, char **argv); /* with --sequence among its words */
int query_main(int argc, char **argv);
int show_main(int argc, char **argv);
int bench_main(int argc, char **argv);

#endif
