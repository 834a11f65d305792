/* SPDX-License-Identifier: MIT
 *
 * Lines of a log: a time, a severity, a text.
 */
#ifndef TALLY_PARSER_H
#define TALLY_PARSER_H

enum severity { INFO, WARNING, ERROR, OTHER, N_SEVERITIES };

const char *severity_name(enum severity severity);
enum severity parser_severity(const char *line);

#endif
