/* SPDX-License-Identifier: MIT
 *
 * Values of inputs as people and other programs write them.
 */
#ifndef HEDDLE_REPORT_NUMBERS_H
#define HEDDLE_REPORT_NUMBERS_H

#include "report/shown_inputs.h"

/* -3, 0x1f, 42ul, 'a', true; for a floating-point input 0.5, 1e3, or its bits as 0x7f800000. False: the text is none of
 * these, or the value does not fit. */
bool number_parse(const char *text, const struct input_record *record, wide_value *value);

#endif
