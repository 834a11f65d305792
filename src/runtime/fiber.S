/* SPDX-License-Identifier: MIT
 *
 * void fiber_swap(void **save, void *load): pushes what a C function must keep, stores the stack pointer in *save,
 * continues where `load` was saved. The same frame is what fiber_prepare builds for a new fiber.
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
        .section .note.GNU-stack, "", @progbits
