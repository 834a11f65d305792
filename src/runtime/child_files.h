/* SPDX-License-Identifier: MIT
 *
 * Watching what children do to files (child_files.c).
 */
#ifndef HEDDLE_RUNTIME_CHILD_FILES_H
#define HEDDLE_RUNTIME_CHILD_FILES_H

#include "runtime.h"

#define CHILD_PATH_BYTES 1024u

void child_files_begin_run(void);
/* In the child: from here on it asks. The descriptor to listen to; negative: the kernel cannot do it. */
long child_files_install(bool asks_to_look);
/* Takes a copy of that descriptor; false: it cannot. */
bool child_files_listen(int pid, int descriptor);
/* Answers whoever asks. False: somebody is about to do what must not be done, with the file of this path. */
bool child_files_answer(char path[CHILD_PATH_BYTES]);

#endif
