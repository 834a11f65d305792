/* SPDX-License-Identifier: MIT
 *
 * What a program under test may say to heddle. `heddle cc` defines these functions, also for runs outside heddle. With
 * another compiler, -DHEDDLE_OFF turns them into nothing; and the constructs of the second half are in libheddle-sync.
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

/* Inputs: values that heddle chooses, so as to take every path through the program. The name, which is copied, is
 * for reports; NULL stands for the name of the type. Outside heddle they are random.
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

/* Runs in which the condition does not hold do not count: they end here, without a finding. Outside heddle the program
 * ends, with status 0. */
#ifdef HEDDLE_OFF
#define heddle_assume(condition) ((void)(condition))
#else
void heddle_assume(int condition);
#endif

/* ---- synchronisation ----
 *
 * Ports, semaphores and monitors, for programs and for their tests. In a program that another compiler builds, they are
 * those of the library libheddle-sync (-lheddle-sync -lpthread); in one that `heddle cc` builds, heddle controls them.
 * docs/constructs.md tells what each of them does. A misuse ends the program with a message; under heddle it is a
 * finding of kind lock-misuse.
 *
 * The members of the types are not for programs. An object is initialised by one of the macros, or by its function. */

enum heddle_kind { /* the first word of an object */
                   HEDDLE_KIND_PORT = 0x70a5,
                   HEDDLE_KIND_BOUNDED_PORT = 0x70b0,
                   HEDDLE_KIND_SYNCHRONOUS_PORT = 0x7051,
                   HEDDLE_KIND_SEMAPHORE = 0x5ec0,
                   HEDDLE_KIND_BINARY_SEMAPHORE = 0x5eb1,
                   HEDDLE_KIND_MONITOR_SC = 0x305c,
                   HEDDLE_KIND_MONITOR_SU = 0x3050,
                   HEDDLE_KIND_CONDITION = 0xc04d
};

/* Ports carry messages: many threads may send to a port, one receives from it. Messages of one sender are received in
 * the order in which they were sent; between senders there is no order. */
typedef struct heddle_port {
  unsigned heddle_kind, heddle_capacity;
  unsigned long heddle_state[15];
} heddle_port;

/* clang-format off */
#define HEDDLE_PORT {HEDDLE_KIND_PORT, 0u, {0}} /* a send never waits */
#define HEDDLE_BOUNDED_PORT(capacity) {HEDDLE_KIND_BOUNDED_PORT, (capacity), {0}} /* a send waits while so many are in it */
#define HEDDLE_SYNCHRONOUS_PORT {HEDDLE_KIND_SYNCHRONOUS_PORT, 0u, {0}} /* a send waits until its message was received */
/* clang-format on */

void heddle_port_init(heddle_port *port);
void heddle_port_init_bounded(heddle_port *port, unsigned capacity);
void heddle_port_init_synchronous(heddle_port *port);
void heddle_port_destroy(heddle_port *port); /* messages in it are lost */
void heddle_send(heddle_port *port, long message);
long heddle_receive(heddle_port *port);
/* The same, and the program does not care in which order it receives what it receives with this label: neither what the
 * messages say nor who sent them matters, only how many there were. `heddle run --reduce order=LABEL` makes use of it.
 */
long heddle_receive_unordered(heddle_port *port, const char *label);

/* A selective wait: receives from one of several ports. An alternative is open when it has no guard or its guard says
 * so; guards are called once, in order, when the wait begins, and must not wait for anything. No port may stand in it
 * twice. Returns the index of the alternative whose message is in *message; the other two return -1 when they received
 * none. */
typedef struct heddle_alternative {
  heddle_port *port;
  int (*guard)(void *argument); /* NULL: always open */
  void *argument;
} heddle_alternative;

int heddle_select(const heddle_alternative *alternatives, int count, long *message);
/* ... or else does not wait, when no message is there. */
int heddle_select_else(const heddle_alternative *alternatives, int count, long *message);
/* ... or waits no longer than that. */
int heddle_select_delay(const heddle_alternative *alternatives, int count, long *message,
                        unsigned long long nanoseconds);

/* Semaphores, counting (V never waits) and binary (the value is 0 or 1, and V waits while it is 1). */
typedef struct heddle_semaphore {
  unsigned heddle_kind;
  int heddle_value;
  unsigned long heddle_state[12];
} heddle_semaphore;

/* clang-format off */
#define HEDDLE_SEMAPHORE(value) {HEDDLE_KIND_SEMAPHORE, (value), {0}}
#define HEDDLE_BINARY_SEMAPHORE(value) {HEDDLE_KIND_BINARY_SEMAPHORE, (value), {0}}
/* clang-format on */

void heddle_semaphore_init(heddle_semaphore *semaphore, int value);
void heddle_semaphore_init_binary(heddle_semaphore *semaphore, int value);
void heddle_semaphore_destroy(heddle_semaphore *semaphore);
void heddle_P(heddle_semaphore *semaphore);
void heddle_V(heddle_semaphore *semaphore);

/* Monitors: one thread at a time is inside. The queues of condition variables are first in, first out. A signal wakes
 * the first thread of the queue, if there is one:
 *   - signal-and-continue (SC): it has to enter again, as others do who want to enter;
 *   - signal-and-urgent-wait (SU): it has the monitor at once, and the thread that signalled waits, before all that
 * want to enter, until it gets it back. */
typedef struct heddle_monitor {
  unsigned heddle_kind, heddle_unused;
  unsigned long heddle_state[13];
} heddle_monitor;

/* clang-format off */
#define HEDDLE_MONITOR_SC {HEDDLE_KIND_MONITOR_SC, 0u, {0}}
#define HEDDLE_MONITOR_SU {HEDDLE_KIND_MONITOR_SU, 0u, {0}}
/* clang-format on */

void heddle_monitor_init_SC(heddle_monitor *monitor);
void heddle_monitor_init_SU(heddle_monitor *monitor);
void heddle_monitor_destroy(heddle_monitor *monitor);
void heddle_monitor_enter(heddle_monitor *monitor);
void heddle_monitor_exit(heddle_monitor *monitor);

typedef struct heddle_condition {
  unsigned heddle_kind, heddle_unused;
  heddle_monitor *heddle_of;
  unsigned long heddle_state[3];
} heddle_condition;

/* clang-format off */
#define HEDDLE_CONDITION(monitor) {HEDDLE_KIND_CONDITION, 0u, (monitor), {0}}
/* clang-format on */

/* All of these are called inside the monitor. */
void heddle_condition_init(heddle_condition *condition, heddle_monitor *monitor); /* this one anywhere */
void heddle_condition_destroy(heddle_condition *condition);                       /* and this one */
void heddle_wait(heddle_condition *condition);
void heddle_signal(heddle_condition *condition);
void heddle_signal_exit(heddle_condition *condition); /* signals and leaves the monitor */
void heddle_broadcast(heddle_condition *condition);   /* SC only */
int heddle_queue_empty(const heddle_condition *condition);
int heddle_queue_length(const heddle_condition *condition);

#ifdef __cplusplus
}
#endif

#endif
