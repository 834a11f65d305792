/* SPDX-License-Identifier: MIT
 *
 * void fiber_swap(void **save, void *load): pushes what a C function must keep, stores the stack pointer in *save,
 * continues where `load` was saved. The same frame is what fiber_prepare builds for a new fiber.
 *
 * long fiber_clone(long flags, void *stack, uint64_t tls, int *id): a new kernel thread that starts on such a frame; its
 * number goes to *id before it starts. Returns it, or a negative error.
 */
        .text
        .globl  fiber_swap
        .hidden fiber_swap
        .type   fiber_swap, @function
fiber_swap:
        push    %rbp
        push    %rbx
        push    %r12
        push    %r13
        push    %r14
        push    %r15
        mov     %rsp, (%rdi)
        mov     %rsi, %rsp
        pop     %r15
        pop     %r14
        pop     %r13
        pop     %r12
        pop     %rbx
        pop     %rbp
        ret
        .size   fiber_swap, . - fiber_swap

        .globl  fiber_clone
        .hidden fiber_clone
        .type   fiber_clone, @function
fiber_clone:
        mov     %rdx, %r8
        mov     %rcx, %rdx
        xor     %r10d, %r10d
        mov     $56, %eax               /* clone(flags, stack, parent_tid, child_tid, tls) */
        syscall
        test    %rax, %rax
        jz      1f
        ret
1:      pop     %r15
        pop     %r14
        pop     %r13
        pop     %r12
        pop     %rbx
        pop     %rbp
        ret
        .size   fiber_clone, . - fiber_clone
        .section .note.GNU-stack, "", @progbits
