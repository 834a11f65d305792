/* SPDX-License-Identifier: MIT
 *
 * Ending the program with a message that says what the failing thread was at.
 */
#ifndef TALLY_FAILURE_H
#define TALLY_FAILURE_H

/* What the calling thread is at, for messages; the text must live on. */
void failure_set_activity(const char *activity);
_Noreturn void fail(const char *what, int error);

#endif
