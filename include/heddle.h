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

#ifdef __cplusplus
}
#endif

#endif
