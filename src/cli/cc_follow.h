/* SPDX-License-Identifier: MIT
 *
 * Whether a program's code follows inputs, decided when it is linked (abi/kept.h): objects without such code are
 * compiled again if the program asks for inputs.
 */
#ifndef HEDDLE_CLI_CC_FOLLOW_H
#define HEDDLE_CLI_CC_FOLLOW_H

#include "cli/cc_arguments.h"

/* Whether a file of bitcode mentions a function that makes inputs; true may be wrong. */
bool follow_is_mentioned(const char *bitcode);
/* After a compilation: notes the symbols of an object that keeps its module, so that changes of them are seen. */
bool follow_seal(const char *object, struct error *error);

enum follow_state {
  FOLLOW_RIGHT, /* inputs are followed, or there are none */
  FOLLOW_WRONG, /* the program asks for inputs that some of its code does not follow */
};
/* Of an executable; `demanded`: inputs may come from elsewhere. */
enum follow_state follow_judge(const char *executable, bool demanded);
/* Replaces objects and archives among the arguments that do not follow inputs by new ones in the directory. */
bool follow_items(struct cc_arguments *arguments, const char *scratch, struct error *error);

#endif
