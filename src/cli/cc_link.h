/* SPDX-License-Identifier: MIT
 *
 * The link: static, without PIE, with the runtime and its --wrap list.
 */
#ifndef HEDDLE_CLI_CC_LINK_H
#define HEDDLE_CLI_CC_LINK_H

#include "cli/cc_arguments.h"

/* Links what the items name; sources must have become files. `scratch` is a directory for temporary files. *status is
 * the linker's exit status. */
bool cc_link(struct cc_arguments *arguments, const char *scratch, int *status, struct error *error);

#endif
