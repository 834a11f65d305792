/* SPDX-License-Identifier: MIT
 *
 * __heddle_group and __heddle_group_term (abi/groups.h): the inputs that registers hold become an array, those on the
 * stack are one already, and groups_perform (groups.c) does the rest.
 */
        .macro  group name, keeps_result
        .globl  \name
        .type   \name, @function
\name:
        .cfi_startproc
        push    %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        push    %rax
        push    %rdi
        push    %r10
        push    %r9
        push    %r8
        push    %rcx
        push    %rdx
        push    %rsi
        mov     %rsp, %rsi
        lea     16(%rbp), %rdx
        call    groups_perform
        pop     %rsi
        pop     %rdx
        pop     %rcx
        pop     %r8
        pop     %r9
        pop     %r10
        pop     %rdi
        .if     \keeps_result
        add     $8, %rsp
        .else
        pop     %rax
        .endif
        pop     %rbp
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   \name, . - \name
        .endm

        .text
        group   __heddle_group, 0
        group   __heddle_group_term, 1
        .section .note.GNU-stack, "", @progbits
