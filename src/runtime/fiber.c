/* SPDX-License-Identifier: MIT
 *
 * Fibers: every thread of the program has a stack in its own slot (abi/layout.h) and its own block of thread-local
 * storage, with a copy of libc's thread descriptor, at the top of it. Switching threads swaps the stack pointer and the
 * %fs base, so that errno and every __thread variable, in instrumented code or not, belong to the fiber. Main keeps the
 * block the kernel thread was started with. Where the program is known to use nothing of it (src/instrument/storage.c),
 * the block is only room, and all fibers have main's.
 *
 *     slot:  [ unmapped (guard) ... | stack ... | TLS variables | thread descriptor ]
 *                                   ^ stack_bottom              ^ tls (%fs)
 *
 * For a debugger (RUN_KERNEL_THREADS) every fiber gets a kernel thread that runs on its stack, with its TLS, and a
 * switch hands the turn over instead: still one thread runs at a time, but the debugger sees all of them. Main's fiber
 * and the executor's own stack share the first kernel thread.
 */
#include "fiber.h"
#include "abi/sites.h"
#include "awaits.h"
#include "executor.h"
#include "sharing.h"

#include <cpuid.h>
#include <elf.h>
#include <link.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#define THREAD_DESCRIPTOR_BYTES 2304 /* sizeof(struct pthread) of glibc 2.36, when libc does not tell */
#define MAX_TLS_IMAGE (16u << 20)
#define GUARD_BYTES 4096
#define STAGGERS                                                                                                       \
  8u /* stacks begin at so many different places of a page: what threads use shares no lines of the cache */
#define STAGGER_BYTES 512u
#define HWCAP2_FSGSBASE 2

extern const uint32_t _thread_db_sizeof_pthread __attribute__((weak));
extern const char no_storage[] __asm__(HEDDLE_NO_STORAGE) __attribute__((weak));
extern const char alone[] __asm__(HEDDLE_ALONE) __attribute__((weak));
extern void __ctype_init(void);

void fiber_begin(void);
long fiber_clone(long flags, void *stack, uint64_t tls, int *id);

/* What every new thread's block starts as. */
static struct {
  uint64_t variables_bytes; /* below %fs, rounded up to the alignment */
  uint64_t total_bytes;
  uint64_t align; /* of %fs: what the most strictly aligned variable needs, at least a cache line */
  bool fast_base; /* wrfsbase may be used */
  bool is_shared; /* no thread needs a block of its own: all use main's */
} tls_image;

/* Outside the memory that is put back, and too large for struct runtime's fixed part: after it. */
#define TLS_IMAGE ((char *)(RUNTIME_ADDRESS + (2ull << 30)))

/* Stops here and continues where `load` was saved, with its frame pointer. In line: what a C function must keep is what
 * the one around it keeps anyway, and the processor, which expects that functions return to where they were called,
 * finds but one that does not. */
static inline __attribute__((always_inline)) void fiber_swap(void **save, void *load) {
  __asm__ volatile("lea 1f(%%rip), %%rax\n\t"
                   "push %%rax\n\t"
                   "push %%rbp\n\t"
                   "mov %%rsp, (%%rdi)\n\t"
                   "mov %%rsi, %%rsp\n\t"
                   "pop %%rbp\n\t"
                   "pop %%rax\n\t"
                   "jmp *%%rax\n"
                   "1:"
                   : "+D"(save), "+S"(load)
                   :
                   : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
                     "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
                     "xmm14", "xmm15", "cc", "memory");
}

static uint64_t get_tls_base(void) {
  uint64_t base;
  __asm__("mov %%fs:0, %0" : "=r"(base)); /* the thread descriptor starts with its own address */
  return base;
}

static inline void set_tls_base(uint64_t base) {
  if (tls_image.fast_base)
    __asm__ volatile("wrfsbase %0" : : "r"(base) : "memory");
  else
    system_call(SYS_arch_prctl, 0x1002 /* ARCH_SET_FS */, base);
}

/* The thread runs from here on. */
static inline void use_tls_of(const struct thread *thread, uint64_t now) {
  if (UNLIKELY(!tls_image.is_shared) && thread->tls != now) set_tls_base(thread->tls);
}

static int find_tls_segment(struct dl_phdr_info *info, size_t size, void *result) {
  uint64_t *bytes = result;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_TLS) continue;
    const uint64_t align = header->p_align ? header->p_align : 1;
    const uint64_t rounded = (header->p_memsz + align - 1) / align * align;
    char *start = TLS_IMAGE + (MAX_TLS_IMAGE - *bytes - rounded);
    if (align > tls_image.align) tls_image.align = align;
    memcpy(start, (const void *)(info->dlpi_addr + header->p_vaddr), header->p_filesz);
    *bytes += rounded;
  }
  return 0;
}

/* Builds the image with its descriptor at TLS_IMAGE + MAX_TLS_IMAGE: TLS variables as in the executable, libc's
 * pointers to the tables of the current locale set, the rest of the descriptor as main's. */
static void build_tls_image(void) {
  system_call(SYS_mmap, TLS_IMAGE, 2 * MAX_TLS_IMAGE, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  uint64_t variables = 0;
  tls_image.align = 64;
  dl_iterate_phdr(find_tls_segment, &variables);
  const uint64_t descriptor = &_thread_db_sizeof_pthread ? _thread_db_sizeof_pthread : THREAD_DESCRIPTOR_BYTES;
  if (variables > MAX_TLS_IMAGE) executor_die("more than 16 MiB of thread-local variables");
  char *base = TLS_IMAGE + MAX_TLS_IMAGE;
  memcpy(base, (const void *)rt->root_tls, descriptor);
  ((uint64_t *)base)[0] = ((uint64_t *)base)[2] = (uint64_t)base;
  set_tls_base((uint64_t)base);
  __ctype_init();
  set_tls_base(rt->root_tls);
  tls_image.variables_bytes = variables;
  tls_image.total_bytes = variables + descriptor;
}

static bool can_count_bits(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && c & bit_POPCNT;
}

void fiber_initialise(void) {
  rt->has_popcnt = can_count_bits();
  rt->root_tls = get_tls_base();
  rt->kernel_threads = rt->channel->options & RUN_KERNEL_THREADS;
  tls_image.fast_base = getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE;
  tls_image.is_shared = no_storage && alone && !rt->kernel_threads;
  build_tls_image();
}

void fiber_map_stack(struct thread *thread, size_t size_bytes) {
  const uint64_t top = STACKS_ADDRESS + (thread->id + 1ull) * STACK_SLOT_BYTES;
  size_bytes += tls_image.total_bytes + tls_image.align + STAGGERS * STAGGER_BYTES;
  if (size_bytes > STACK_SLOT_BYTES - GUARD_BYTES) size_bytes = STACK_SLOT_BYTES - GUARD_BYTES;
  size_bytes = (size_bytes + 4095) & ~4095ull;
  if (size_bytes > thread->mapped_stack_bytes) {
    const long at = system_call(SYS_mmap, top - size_bytes, size_bytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    if (at < 0) executor_die("cannot map a thread's stack");
    thread->mapped_stack_bytes = (uint32_t)size_bytes;
  }
  thread->stack_top = top;
  thread->stack_bottom = top - thread->mapped_stack_bytes;
}

static void *place_tls(struct thread *thread) {
  const uint64_t descriptor_bytes = tls_image.total_bytes - tls_image.variables_bytes;
  const uint64_t base = (thread->stack_top - descriptor_bytes) & ~(tls_image.align - 1);
  if (!tls_image.is_shared) {
    memcpy((char *)base - tls_image.variables_bytes, TLS_IMAGE + MAX_TLS_IMAGE - tls_image.variables_bytes,
           tls_image.total_bytes);
    ((uint64_t *)base)[0] = ((uint64_t *)base)[2] = base;
  }
  thread->tls = base;
  thread->locals_top = base - tls_image.variables_bytes;
  return (char *)thread->locals_top;
}

/* ---- kernel threads ---- */

#define SIGNAL_STACK_BYTES (64u << 10)

static void give_signal_stack(void) {
  const long stack =
      system_call(SYS_mmap, 0, SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const stack_t description = {.ss_sp = (void *)stack, .ss_size = SIGNAL_STACK_BYTES};
  system_call(SYS_sigaltstack, &description, 0);
}

static void kernel_thread_entry(void) {
  give_signal_stack();
  self()->entry();
}

static void start_kernel_thread(struct thread *thread) {
  const long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
                     CLONE_PARENT_SETTID;
  if (fiber_clone(flags, thread->stack_pointer, thread->tls, &thread->kernel_thread) < 0)
    executor_die("cannot start a kernel thread");
}

static void give_turn(struct thread *thread) {
  if (!thread->kernel_thread) {
    start_kernel_thread(thread);
    return;
  }
  atomic_store(&thread->turn, 1); /* release: what we did is done before the other continues */
  system_call(SYS_futex, &thread->turn, FUTEX_WAKE, 1);
}

/* Not inlined: its name is what `info threads` shows of a thread whose turn it is not. */
static __attribute__((noinline)) void wait_for_turn(struct thread *thread) {
  while (!atomic_exchange(&thread->turn, 0)) system_call(SYS_futex, &thread->turn, FUTEX_WAIT, 0, 0);
  if (rt->root_wanted) fiber_swap(&thread->stack_pointer, rt->root_stack_pointer);
}

static __attribute__((noinline)) void hand_over(struct thread *from, struct thread *to) {
  rt->current = to;
  from->stack_pointer = __builtin_frame_address(0); /* for frames.c */
  sharing_set_owner(to);
  give_turn(to);
  if (from->state == ENDED && from->id != 0)
    for (;;) system_call(SYS_exit, 0);
  wait_for_turn(from);
}

static _Noreturn void hand_over_to_root(struct thread *from) {
  rt->root_wanted = true;
  give_turn(&rt->threads[0]);
  for (;;) wait_for_turn(from);
}

/* ---- switching ---- */

void fiber_prepare(struct thread *thread, void (*entry)(void)) {
  char *top = (char *)thread->stack_top;
  if (thread->id == 0)
    thread->tls = rt->root_tls;
  else
    top = place_tls(thread);
  thread->entry = entry;
  thread->kernel_thread = 0;
  if (rt->kernel_threads && thread->id != 0) entry = kernel_thread_entry;
  uint64_t *frame = (uint64_t *)(((uint64_t)top & ~63ull) - thread->id % STAGGERS * STAGGER_BYTES);
  thread->state_top = tls_image.is_shared ? (uint64_t)frame : thread->stack_top;
  *--frame = 0; /* entry() finds no return address, and the alignment a call would give */
  *--frame = (uint64_t)entry;
  *--frame = (uint64_t)fiber_begin;
  *--frame = 0; /* the frame pointer: there is no frame above */
  thread->stack_pointer = frame;
}

static inline void become(struct thread *thread, const struct thread *from) {
  rt->current = thread;
  sharing_set_owner(thread);
  use_tls_of(thread, from->tls);
}

INLINED void fiber_switch(struct thread *from, struct thread *to) {
  if (UNLIKELY(rt->kernel_threads)) {
    hand_over(from, to);
    return;
  }
  become(to, from);
  fiber_swap(&from->stack_pointer, to->stack_pointer);
}

void fiber_switch_to(struct thread *thread) {
  fiber_switch(self(), thread);
}

void fiber_leave_to(struct thread *thread) {
  fiber_switch(self(), thread);
  __builtin_unreachable();
}

void fiber_enter_from_root(struct thread *thread) {
  rt->current = thread;
  sharing_set_owner(thread);
  if (rt->kernel_threads) thread->kernel_thread = (int)system_call(SYS_gettid, 0);
  use_tls_of(thread, rt->root_tls);
  fiber_swap(&rt->root_stack_pointer, thread->stack_pointer);
}

/* As SPIN_FRAME says: rbx, r12, r13, r14, r15, rbp, and where to return to. */
static inline __attribute__((always_inline)) void fiber_swap_to_frame(void **save, char *frame) {
  __asm__ volatile("lea 1f(%%rip), %%rax\n\t"
                   "push %%rax\n\t"
                   "push %%rbp\n\t"
                   "mov %%rsp, (%%rdi)\n\t"
                   "mov %%rsi, %%rbx\n\t"
                   "lea -256(%%rsi), %%rsp\n\t"
                   "and $-64, %%rsp\n\t"
                   "xor %%ebp, %%ebp\n\t"
                   "call rehearsal_begin\n\t"
                   "mov %%rbx, %%rsp\n\t"
                   "pop %%rbx\n\t"
                   "pop %%r12\n\t"
                   "pop %%r13\n\t"
                   "pop %%r14\n\t"
                   "pop %%r15\n\t"
                   "pop %%rbp\n\t"
                   "xor %%eax, %%eax\n\t"
                   "ret\n"
                   "1:"
                   : "+D"(save), "+S"(frame)
                   :
                   : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
                     "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
                     "xmm14", "xmm15", "cc", "memory");
}

void fiber_enter_frame(struct thread *thread, char *frame) {
  rt->current = thread;
  sharing_set_owner(thread);
  use_tls_of(thread, rt->root_tls);
  fiber_swap_to_frame(&rt->root_stack_pointer, frame);
}

void fiber_return_to_root(void) {
  struct thread *from = self();
  if (rt->kernel_threads && from->id != 0) hand_over_to_root(from);
  use_tls_of(&rt->threads[0], from->tls);
  fiber_swap(&from->stack_pointer, rt->root_stack_pointer);
  __builtin_unreachable();
}

void fiber_visit_root(void) {
  struct thread *from = self();
  use_tls_of(&rt->threads[0], from->tls);
  fiber_swap(&from->stack_pointer, rt->root_stack_pointer);
}
