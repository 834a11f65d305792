/* SPDX-License-Identifier: MIT
 *
 * What a program under test may say to heddle. `heddle cc` defines these functions, also for runs outside heddle. With
 * another compiler, -DHEDDLE_OFF turns them into nothing.
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Records a value of this run under a label. heddle counts the distinct combinations of values over all runs that
 * end by themselves and lists them ("observations"). The label is copied. Not a scheduling point. Outside heddle it
 * does nothing. */
#ifdef HEDDLE_OFF
#define heddle_observe(label, value) ((void)(label), (void)(value))
#else
void heddle_observe(const char *label, long long value);
#endif

/* Inputs: values that heddle chooses, so as to take every way the program can go. The name, which is copied, stands in
 * reports; NULL names the type. Outside heddle they are random.
 *
 * heddle_input_bytes fills memory; heddle_input_range gives a number between two others, both included. */
#ifdef HEDDLE_OFF
#define heddle_input_bool(name) ((void)(name), 0)
#define heddle_input_char(name) ((void)(name), (char)0)
#define heddle_input_schar(name) ((void)(name), (signed char)0)
#define heddle_input_uchar(name) ((void)(name), (unsigned char)0)
#define heddle_input_short(name) ((void)(name), (short)0)
#define heddle_input_ushort(name) ((void)(name), (unsigned short)0)
#define heddle_input_int(name) ((void)(name), (int)0)
#define heddle_input_uint(name) ((void)(name), (unsigned)0)
#define heddle_input_long(name) ((void)(name), (long)0)
#define heddle_input_ulong(name) ((void)(name), (unsigned long)0)
#define heddle_input_longlong(name) ((void)(name), (long long)0)
#define heddle_input_ulonglong(name) ((void)(name), (unsigned long long)0)
#define heddle_input_size_t(name) ((void)(name), (__SIZE_TYPE__)0)
#define heddle_input_int128(name) ((void)(name), (__int128)0)
#define heddle_input_uint128(name) ((void)(name), (unsigned __int128)0)
#define heddle_input_pointer(name) ((void)(name), (void *)0)
#define heddle_input_float(name) ((void)(name), (float)0)
#define heddle_input_double(name) ((void)(name), (double)0)
#define heddle_input_bytes(name, memory, size) ((void)(name), (void)__builtin_memset(memory, 0, size))
#define heddle_input_range(name, low, high) ((void)(name), (void)(high), (long long)(low))
#else
#ifdef __cplusplus
typedef bool heddle_bool;
#else
typedef _Bool heddle_bool;
#endif
heddle_bool heddle_input_bool(const char *name);
char heddle_input_char(const char *name);
signed char heddle_input_schar(const char *name);
unsigned char heddle_input_uchar(const char *name);
short heddle_input_short(const char *name);
unsigned short heddle_input_ushort(const char *name);
int heddle_input_int(const char *name);
unsigned heddle_input_uint(const char *name);
long heddle_input_long(const char *name);
unsigned long heddle_input_ulong(const char *name);
long long heddle_input_longlong(const char *name);
unsigned long long heddle_input_ulonglong(const char *name);
__SIZE_TYPE__ heddle_input_size_t(const char *name);
__int128 heddle_input_int128(const char *name);
unsigned __int128 heddle_input_uint128(const char *name);
void *heddle_input_pointer(const char *name);
float heddle_input_float(const char *name);
double heddle_input_double(const char *name);
void heddle_input_bytes(const char *name, void *memory, __SIZE_TYPE__ size);
long long heddle_input_range(const char *name, long long low, long long high);
#endif

/* Runs in which the condition does not hold say nothing: they end here, without a finding. Outside heddle the program
 * ends, with status 0. */
#ifdef HEDDLE_OFF
#define heddle_assume(condition) ((void)(condition))
#else
void heddle_assume(int condition);
#endif

#ifdef __cplusplus
}
#endif

#endif
