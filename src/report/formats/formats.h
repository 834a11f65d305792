/* SPDX-License-Identifier: MIT
 *
 * The result in forms that other tools read, one file each. None contains absolute paths unless they are asked for.
 */
#ifndef HEDDLE_REPORT_FORMATS_FORMATS_H
#define HEDDLE_REPORT_FORMATS_FORMATS_H

#include "report/report.h"

/* SARIF 2.1.0, for code scanning: a result per bug and warning, with a code flow per thread. */
void sarif_append(struct text *json, const struct report *report, const struct summary *summary);
/* JUnit's XML: the exploration as one test case. */
void junit_append(struct text *xml, const struct report *report, const struct summary *summary);
/* Workflow commands of GitHub: a line per bug and warning, shown at the line of the source. */
void github_append(struct text *text, const struct report *report, const struct summary *summary);
/* A violation witness of SV-COMP for the first bug, nothing if there is none: GraphML (format 1.0), or YAML (2.0) if
 * the name of the file ends with .yml or .yaml. */
void witness_append(struct text *text, const struct report *report, const struct summary *summary);

struct observer formats_observer(struct report *report);
typedef void format_appender(struct text *text, const struct report *report, const struct summary *summary);
/* Nothing if `file` is NULL, or if there is nothing to write. */
void formats_write(struct report *report, const struct summary *summary, const char *file, format_appender *append);

/* The text as contents or attribute of XML: characters that XML cannot have become U+FFFD. */
void xml_append(struct text *xml, const char *string);
/* The whole summary, as the terminal has it. */
void formats_append_summary(struct text *text, const struct report *report, const struct summary *summary);

#endif
