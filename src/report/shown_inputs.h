/* SPDX-License-Identifier: MIT
 *
 * The inputs of a run with their values, as reports show them: `int x = -3`, `unsigned char key[3] = "a\0b"`, or JSON.
 *
 * Inputs are listed in the order in which the program asked for them.
 */
#ifndef HEDDLE_REPORT_SHOWN_INPUTS_H
#define HEDDLE_REPORT_SHOWN_INPUTS_H

#include "report/describe.h"

#include <stdio.h>

typedef unsigned __int128 wide_value;

/* "unsigned", "size_t", "void *" */
const char *input_c_type(enum input_type type);
/* Is it a text rather than numbers? */
bool input_is_text(const struct input_record *input);

/* The value of one input of the run; 0 if the trace does not list it. */
wide_value input_value_of(const struct trace_view *trace, thread_id thread, uint32_t index);
/* The values of a named input as memory holds them, little-endian and one after the other. */
void input_append_bytes(struct text *bytes, const struct trace_view *trace, const struct input_record *input);
/* How many bytes one of its values takes. */
size_t input_bytes_each(const struct input_record *input);

/* Its name; "" when the program gave none. */
void input_append_name(struct text *text, const struct trace_view *trace, const struct input_record *input);
/* The value number `i` of the input as a number: -3, 18446744073709551615, 0.5. What is not finite is written as its
 * bits, 0x7f800000. */
void input_append_number(struct text *text, const struct trace_view *trace, const struct input_record *input,
                         uint32_t i);
/* As one would write it in C; the thread is named unless it is main. Long ones are cut at `most` bytes. */
void input_append_declaration(struct text *text, const struct scene *scene, const struct input_record *input,
                              size_t most);
/* Bytes as a C string with its quotes. */
void input_append_c_string(struct text *text, const char *bytes, size_t count);

/* Every input of the run: an array of JSON objects. */
void inputs_append_json(struct text *json, const struct knowledge *knowledge, const struct trace_view *trace);
/* The same as a file that given_read reads (shown_inputs_json.c). */
void inputs_append_file(struct text *json, const struct knowledge *knowledge, const struct trace_view *trace);
/* One line each, the first after `first`, the others below it; at most `most`. Nothing without inputs. */
void inputs_print(FILE *stream, const struct scene *scene, const char *first, size_t most);

#endif
