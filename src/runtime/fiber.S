/* SPDX-License-Identifier: MIT
 *
 * fiber_begin: where a new fiber starts, on the frame that fiber_prepare built: the function to call, and no address to
 * return to.
 *
 * long fiber_clone(long flags, void *stack, uint64_t tls, int *id): a new kernel thread that starts on such a frame; its
 * number goes to *id before it starts. Returns it, or a negative error.
 */
        .text
        .globl  fiber_begin
        .hidden fiber_begin
        .type   fiber_begin, @function
fiber_begin:
        xor     %ebx, %ebx
        xor     %r12d, %r12d
        xor     %r13d, %r13d
        xor     %r14d, %r14d
        xor     %r15d, %r15d
        ret
        .size   fiber_begin, . - fiber_begin

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
1:      pop     %rbp
        ret
        .size   fiber_clone, . - fiber_clone
        .section .note.GNU-stack, "", @progbits
