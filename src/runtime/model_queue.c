/* SPDX-License-Identifier: MIT
 *
 * POSIX message queues (queues.h). Sending and receiving wait like a semaphore with as many units as there are free
 * places or messages; a message of the highest priority is received first, the oldest among equals.
 */
#include "ends.h"
#include "executor.h"
#include "models.h"
#include "queues.h"
#include "signalling.h"
#include "snapshot.h"
#include "terms.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <stdarg.h>
#include <sys/mman.h>

#define DEFAULT_CAPACITY 10
#define NOTICE_STACK_BYTES (1u << 20)
#define PRIORITIES 32768u /* MQ_PRIO_MAX */

void __heddle_slow_range(const void *address, uint64_t size, const struct site *site, int writes);

/* ---- state ---- */

void queues_initialise(void) {
  const long at = system_call(SYS_mmap, the_queues, sizeof *the_queues, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (at < 0) executor_die("cannot map the runtime's memory");
}

void queues_begin_run(void) {
  if (!the_queues->n_queues) return;
  the_queues->n_queues = 0;
  memset(the_queues->descriptors, 0, sizeof the_queues->descriptors);
}

static struct queue *queue_named(const char *name) {
  for (uint32_t i = 0; i < the_queues->n_queues; i++)
    if (the_queues->queues[i].has_name && strings_equal(the_queues->queues[i].name, name))
      return &the_queues->queues[i];
  return NULL;
}

static struct queue_descriptor *descriptor_of(mqd_t number) {
  if (number < 0 || number >= (mqd_t)MAX_QUEUE_DESCRIPTORS) return NULL;
  struct queue_descriptor *descriptor = &the_queues->descriptors[number];
  return descriptor->queue ? descriptor : NULL;
}

bool queue_can_move(const struct thread *thread) {
  const struct queue *queue = (const struct queue *)thread->operation.object;
  return thread->operation.kind == EVENT_QUEUE_SEND ? queue->object.count < queue->capacity : queue->object.count > 0;
}

/* ---- opening and closing: what names mean is one thing for all threads ---- */

static void take_turn_with_names(site_id site) {
  spin_end(self());
  schedule_operation((struct operation){.kind = EVENT_QUEUE_NAME, .site = site});
  trace_record(EVENT_QUEUE_NAME, 0, 0, site);
}

static int check_name(const char *name) {
  if (name[0] != '/' || !name[1]) return EINVAL;
  return string_length(name) < QUEUE_NAME_BYTES ? 0 : ENAMETOOLONG;
}

static bool is_possible(const struct mq_attr *attributes) {
  return attributes->mq_maxmsg > 0 && attributes->mq_maxmsg <= (long)MAX_QUEUE_MESSAGES && attributes->mq_msgsize > 0 &&
         attributes->mq_msgsize <= (long)MAX_QUEUE_MESSAGE_BYTES;
}

static struct queue *new_queue(const char *name, const struct mq_attr *attributes) {
  if (the_queues->n_queues == MAX_QUEUES) {
    finish_at_limit("more than 32 message queues");
  }
  struct queue *queue = &the_queues->queues[the_queues->n_queues++];
  queue->object = (struct object){.run = rt->run, .class = QUEUE_OBJECT, .owner = NO_THREAD};
  memcpy(queue->name, name, string_length(name) + 1);
  queue->has_name = true;
  queue->references = 0;
  queue->capacity = attributes ? (uint32_t)attributes->mq_maxmsg : DEFAULT_CAPACITY;
  queue->message_bytes = attributes ? (uint32_t)attributes->mq_msgsize : MAX_QUEUE_MESSAGE_BYTES;
  queue->n_sent = 0;
  queue->notice.is_wanted = false;
  for (uint32_t i = 0; i < queue->capacity; i++) queue->messages[i].number = 0;
  return queue;
}

/* A number that the kernel gives to nothing else. */
static mqd_t open_descriptor(struct queue *queue, int flags) {
  files_touch();
  const long number = system_call(SYS_open, "/", O_PATH | O_CLOEXEC);
  if (number < 0) return model_fail((int)-number);
  if (number >= (long)MAX_QUEUE_DESCRIPTORS)
    finish_at_limit("more than 1024 descriptors, one of them of a message queue");
  if (queue->references++ == 0) queue->object.address = (uint64_t)number;
  const int access = flags & O_ACCMODE;
  the_queues->descriptors[number] = (struct queue_descriptor){
      queue, .reads = access != O_WRONLY, .writes = access != O_RDONLY, .nonblocking = flags & O_NONBLOCK};
  return (mqd_t)number;
}

static mqd_t open_queue(const char *name, int flags, const struct mq_attr *attributes) {
  const site_id site = take_site();
  if (check_name(name)) return model_fail(check_name(name));
  take_turn_with_names(site);
  struct queue *queue = queue_named(name);
  if (!queue && !(flags & O_CREAT)) return model_fail(ENOENT);
  if (queue && flags & O_CREAT && flags & O_EXCL) return model_fail(EEXIST);
  if (!queue && attributes && !is_possible(attributes)) return model_fail(EINVAL);
  if (!queue) queue = new_queue(name, attributes);
  return open_descriptor(queue, flags);
}

mqd_t __real_mq_open(const char *name, int flags, ...);
EXPORTED mqd_t __wrap_mq_open(const char *name, int flags, ...);
mqd_t __wrap_mq_open(const char *name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  struct mq_attr *attributes = flags & O_CREAT ? va_arg(rest, struct mq_attr *) : NULL;
  va_end(rest);
  return controlled ? open_queue(name, flags, attributes) : __real_mq_open(name, flags, mode, attributes);
}

WRAPPED(int, mq_close, (mqd_t number), (number)) {
  struct queue_descriptor *descriptor = descriptor_of(number);
  if (!descriptor) return model_fail(EBADF);
  if (descriptor->queue->notice.descriptor == number) descriptor->queue->notice.is_wanted = false;
  descriptor->queue->references--;
  descriptor->queue = NULL;
  system_call(SYS_close, number);
  return 0;
}

WRAPPED(int, mq_unlink, (const char *name), (name)) {
  const site_id site = take_site();
  if (check_name(name) == ENAMETOOLONG) return model_fail(ENAMETOOLONG);
  take_turn_with_names(site);
  struct queue *queue = queue_named(name);
  if (!queue) return model_fail(ENOENT);
  queue->has_name = false;
  return 0;
}

/* ---- waiting ---- */

static bool is_ready(uint8_t kind, const struct queue *queue) {
  return kind == EVENT_QUEUE_SEND ? queue->object.count < queue->capacity : queue->object.count > 0;
}

/* Returns 0 when the queue is ready, or why it is not. */
static int take_turn(uint8_t kind, const struct queue_descriptor *descriptor, const struct deadline *deadline,
                     site_id site, char *frame) {
  struct queue *queue = descriptor->queue;
  const bool nonblocking = descriptor->nonblocking;
  if (nonblocking) {
    schedule_attempt(kind, &queue->object, site, frame);
  } else {
    spin_end(self());
    schedule_operation((struct operation){.kind = kind,
                                          .address = queue->object.address,
                                          .object = &queue->object,
                                          .site = site,
                                          .can_block = true,
                                          .cancels = true,
                                          .can_give_up = deadline != NULL});
  }
  if (cancel_is_due(self())) cancel_act(site);
  if (is_ready(kind, queue)) return deadline_kept(deadline, 0);
  record_object(kind == EVENT_QUEUE_SEND ? EVENT_QUEUE_FULL : EVENT_QUEUE_EMPTY, &queue->object, site, 0);
  return nonblocking ? EAGAIN : deadline_passed(deadline);
}

static void record_change(uint8_t kind, struct queue *queue, site_id site) {
  spin_end(self());
  queue->object.version++;
  record_object(kind, &queue->object, site, queue->object.count);
}

static void announce_access(const void *buffer, size_t size, site_id site, bool writes) {
  if (size && __heddle_in_run) __heddle_slow_range(buffer, size, (const struct site *)(uint64_t)site, writes);
}

/* ---- sending ---- */

static void put(struct queue *queue, const char *bytes, size_t size, unsigned priority) {
  struct queue_message *message = queue->messages;
  while (message->number) message++;
  message->number = ++queue->n_sent;
  message->priority = priority;
  message->size_bytes = (uint32_t)size;
  memcpy(message->bytes, bytes, size);
  queue->object.count++;
}

/* Who stands before a receive may be in it already, and then nobody is notified, or not yet. */
static void check_receivers(const struct queue *queue) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    const struct thread *thread = &rt->threads[i];
    if (thread->state == AT_OPERATION && thread->operation.kind == EVENT_QUEUE_RECEIVE &&
        thread->operation.object == &queue->object)
      finish_at_limit("mq_notify of a queue that a thread receives from at the same time");
  }
}

static void start_thread(const struct queue_notice *notice, site_id site) {
  struct thread *thread = thread_create(notice->start, (void *)notice->value, NOTICE_STACK_BYTES);
  thread->detached = true;
  struct event *event = trace_record(EVENT_THREAD_CREATE, thread->id, 0, site);
  event->value = (uint64_t)notice->start;
  schedule_local(thread);
}

/* The signal is a step of its own. */
static void notify(struct queue *queue, site_id site) {
  const struct queue_notice notice = queue->notice;
  if (!notice.is_wanted || queue->object.count != 1) return;
  check_receivers(queue);
  queue->notice.is_wanted = false;
  if (notice.how == SIGEV_THREAD) start_thread(&notice, site);
  if (notice.how != SIGEV_SIGNAL) return;
  signal_set_origin(SI_MESGQ, notice.value);
  signal_send_to_process(notice.signal, site);
}

static int send_message(mqd_t number, const char *bytes, size_t size, unsigned priority,
                        const struct deadline *deadline, char *frame) {
  const site_id site = take_site();
  const struct queue_descriptor *descriptor = descriptor_of(number);
  if (!descriptor || !descriptor->writes) return model_fail(EBADF);
  if (priority >= PRIORITIES) return model_fail(EINVAL);
  struct queue *queue = descriptor->queue;
  if (size > queue->message_bytes) return model_fail(EMSGSIZE);
  announce_access(bytes, size, site, false);
  const int problem = take_turn(EVENT_QUEUE_SEND, descriptor, deadline, site, frame);
  if (problem) return model_fail(problem);
  races_release(&queue->object);
  term_memory_pin((uint64_t)bytes, size, PIN_MODEL, site);
  put(queue, bytes, size, priority);
  record_change(EVENT_QUEUE_SEND, queue, site);
  notify(queue, site);
  return 0;
}

WRAPPED(int, mq_send, (mqd_t number, const char *bytes, size_t size, unsigned priority),
        (number, bytes, size, priority)) {
  char *frame = SPIN_FRAME();
  return send_message(number, bytes, size, priority, NULL, frame);
}

WRAPPED(int, mq_timedsend,
        (mqd_t number, const char *bytes, size_t size, unsigned priority, const struct timespec *time),
        (number, bytes, size, priority, time)) {
  char *frame = SPIN_FRAME();
  const struct deadline deadline = {CLOCK_REALTIME, *time};
  return send_message(number, bytes, size, priority, &deadline, frame);
}

/* ---- receiving ---- */

static struct queue_message *first_message(struct queue *queue) {
  struct queue_message *first = NULL;
  for (uint32_t i = 0; i < queue->capacity; i++) {
    struct queue_message *message = &queue->messages[i];
    if (!message->number) continue;
    if (!first || message->priority > first->priority ||
        (message->priority == first->priority && message->number < first->number))
      first = message;
  }
  return first;
}

static ssize_t receive_message(mqd_t number, char *buffer, size_t size, unsigned *priority,
                               const struct deadline *deadline, char *frame) {
  const site_id site = take_site();
  const struct queue_descriptor *descriptor = descriptor_of(number);
  if (!descriptor || !descriptor->reads) return model_fail(EBADF);
  struct queue *queue = descriptor->queue;
  if (size < queue->message_bytes) return model_fail(EMSGSIZE);
  const int problem = take_turn(EVENT_QUEUE_RECEIVE, descriptor, deadline, site, frame);
  if (problem) return model_fail(problem);
  struct queue_message *message = first_message(queue);
  char bytes[MAX_QUEUE_MESSAGE_BYTES];
  const uint32_t size_bytes = message->size_bytes;
  memcpy(bytes, message->bytes, size_bytes);
  message->number = 0;
  const unsigned told_priority = message->priority;
  queue->object.count--;
  record_change(EVENT_QUEUE_RECEIVE, queue, site);
  races_acquire(&queue->object);
  model_store(priority, &told_priority, sizeof told_priority, site);
  announce_access(buffer, size_bytes, site, true);
  memcpy(buffer, bytes, size_bytes);
  return size_bytes;
}

WRAPPED(ssize_t, mq_receive, (mqd_t number, char *buffer, size_t size, unsigned *priority),
        (number, buffer, size, priority)) {
  char *frame = SPIN_FRAME();
  return receive_message(number, buffer, size, priority, NULL, frame);
}

WRAPPED(ssize_t, mq_timedreceive,
        (mqd_t number, char *restrict buffer, size_t size, unsigned *restrict priority,
         const struct timespec *restrict time),
        (number, buffer, size, priority, time)) {
  char *frame = SPIN_FRAME();
  const struct deadline deadline = {CLOCK_REALTIME, *time};
  return receive_message(number, buffer, size, priority, &deadline, frame);
}

/* ---- attributes ---- */

static int get_attributes(mqd_t number, struct mq_attr *attributes, char *frame) {
  const site_id site = take_site();
  const struct queue_descriptor *descriptor = descriptor_of(number);
  if (!descriptor) return model_fail(EBADF);
  struct queue *queue = descriptor->queue;
  schedule_attempt(EVENT_QUEUE_LOOK, &queue->object, site, frame);
  record_object(EVENT_QUEUE_LOOK, &queue->object, site, queue->object.count);
  const struct mq_attr told = {.mq_flags = descriptor->nonblocking ? O_NONBLOCK : 0,
                               .mq_maxmsg = queue->capacity,
                               .mq_msgsize = queue->message_bytes,
                               .mq_curmsgs = queue->object.count};
  model_store(attributes, &told, sizeof told, site);
  return 0;
}

WRAPPED(int, mq_getattr, (mqd_t number, struct mq_attr *attributes), (number, attributes)) {
  char *frame = SPIN_FRAME();
  return get_attributes(number, attributes, frame);
}

WRAPPED(int, mq_setattr, (mqd_t number, const struct mq_attr *restrict attributes, struct mq_attr *restrict old),
        (number, attributes, old)) {
  char *frame = SPIN_FRAME();
  model_reads(attributes, sizeof *attributes, call_site());
  if (attributes->mq_flags & ~(long)O_NONBLOCK) return model_fail(EINVAL);
  if (get_attributes(number, old, frame)) return -1;
  descriptor_of(number)->nonblocking = attributes->mq_flags & O_NONBLOCK;
  return 0;
}

/* ---- notices ---- */

static int want_notice(struct queue *queue, mqd_t number, const struct sigevent *event) {
  if (!event) {
    queue->notice.is_wanted = false;
    return 0;
  }
  if (queue->notice.is_wanted) return model_fail(EBUSY);
  queue->notice = (struct queue_notice){.is_wanted = true,
                                        .descriptor = number,
                                        .how = event->sigev_notify,
                                        .signal = event->sigev_signo,
                                        .value = (uint64_t)event->sigev_value.sival_ptr,
                                        .start = (void *(*)(void *))(void *)event->sigev_notify_function};
  return 0;
}

static bool is_notice(const struct sigevent *event) {
  if (event->sigev_notify == SIGEV_SIGNAL) return signal_exists(event->sigev_signo);
  return event->sigev_notify == SIGEV_THREAD || event->sigev_notify == SIGEV_NONE;
}

WRAPPED(int, mq_notify, (mqd_t number, const struct sigevent *event), (number, event)) {
  const site_id site = take_site();
  const struct queue_descriptor *descriptor = descriptor_of(number);
  if (event) model_reads(event, sizeof *event, site);
  if (event && !is_notice(event)) return model_fail(EINVAL);
  if (!descriptor) return model_fail(EBADF);
  struct queue *queue = descriptor->queue;
  schedule_object(EVENT_QUEUE_NOTIFY, &queue->object, site, false);
  record_object(EVENT_QUEUE_NOTIFY, &queue->object, site, queue->object.count);
  return want_notice(queue, number, event);
}
