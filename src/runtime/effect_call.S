/* SPDX-License-Identifier: MIT
 *
 * Calls of functions of the C library that have effects on the program's memory (effects.h).
 *
 * __heddle_effect_call: instrumented code comes here instead of to the function, with its arguments where the function
 * expects them, its address in %r10 and that of its row in %r11. In a run, the registers become a struct effect_call,
 * and effects_perform does the rest.
 *
 * void effects_invoke(struct effect_call *call): calls the function with these arguments and keeps its results.
 */
#define VECTORS 48
#define VECTOR_COUNT 176
#define ROW 184
#define TARGET 192
#define STACK 200
#define RESULT 208
#define RESULT_HIGH 216
#define RESULT_VECTORS 224
#define RESULT_LONG_DOUBLE 256
#define HAS_LONG_DOUBLE 272
#define STACK_WORDS 280
#define CALL_BYTES 320

        .text
        .globl  __heddle_effect_call
        .type   __heddle_effect_call, @function
__heddle_effect_call:
        .cfi_startproc
        cmpb    $0, __heddle_in_run(%rip)
        jne     1f
        jmp     *%r10
1:      push    %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        sub     $CALL_BYTES, %rsp
        and     $-16, %rsp
        mov     %rdi, 0(%rsp)
        mov     %rsi, 8(%rsp)
        mov     %rdx, 16(%rsp)
        mov     %rcx, 24(%rsp)
        mov     %r8, 32(%rsp)
        mov     %r9, 40(%rsp)
        movaps  %xmm0, VECTORS(%rsp)
        movaps  %xmm1, VECTORS+16(%rsp)
        movaps  %xmm2, VECTORS+32(%rsp)
        movaps  %xmm3, VECTORS+48(%rsp)
        movaps  %xmm4, VECTORS+64(%rsp)
        movaps  %xmm5, VECTORS+80(%rsp)
        movaps  %xmm6, VECTORS+96(%rsp)
        movaps  %xmm7, VECTORS+112(%rsp)
        movzbl  %al, %eax
        mov     %rax, VECTOR_COUNT(%rsp)
        mov     %r11, ROW(%rsp)
        mov     %r10, TARGET(%rsp)
        lea     16(%rbp), %rax
        mov     %rax, STACK(%rsp)
        movq    $0, HAS_LONG_DOUBLE(%rsp)
        mov     %rsp, %rdi
        call    effects_perform
        mov     RESULT(%rsp), %rax
        mov     RESULT_HIGH(%rsp), %rdx
        movaps  RESULT_VECTORS(%rsp), %xmm0
        movaps  RESULT_VECTORS+16(%rsp), %xmm1
        cmpq    $0, HAS_LONG_DOUBLE(%rsp)
        je      2f
        fldt    RESULT_LONG_DOUBLE(%rsp)
2:      leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   __heddle_effect_call, . - __heddle_effect_call

        .globl  effects_invoke
        .hidden effects_invoke
        .type   effects_invoke, @function
effects_invoke:
        .cfi_startproc
        push    %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        push    %rbx
        .cfi_offset %rbx, -24
        sub     $8, %rsp
        mov     %rdi, %rbx
        mov     STACK_WORDS(%rbx), %rcx
        lea     1(%rcx), %rax
        and     $-2, %rax
        shl     $3, %rax
        sub     %rax, %rsp
        mov     STACK(%rbx), %rsi
        mov     %rsp, %rdi
        rep movsq
        movaps  VECTORS(%rbx), %xmm0
        movaps  VECTORS+16(%rbx), %xmm1
        movaps  VECTORS+32(%rbx), %xmm2
        movaps  VECTORS+48(%rbx), %xmm3
        movaps  VECTORS+64(%rbx), %xmm4
        movaps  VECTORS+80(%rbx), %xmm5
        movaps  VECTORS+96(%rbx), %xmm6
        movaps  VECTORS+112(%rbx), %xmm7
        mov     0(%rbx), %rdi
        mov     8(%rbx), %rsi
        mov     16(%rbx), %rdx
        mov     24(%rbx), %rcx
        mov     32(%rbx), %r8
        mov     40(%rbx), %r9
        mov     VECTOR_COUNT(%rbx), %rax
        call    *TARGET(%rbx)
        mov     %rax, RESULT(%rbx)
        mov     %rdx, RESULT_HIGH(%rbx)
        movaps  %xmm0, RESULT_VECTORS(%rbx)
        movaps  %xmm1, RESULT_VECTORS+16(%rbx)
        cmpq    $0, HAS_LONG_DOUBLE(%rbx)
        je      1f
        fstpt   RESULT_LONG_DOUBLE(%rbx)
1:      lea     -8(%rbp), %rsp
        pop     %rbx
        pop     %rbp
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   effects_invoke, . - effects_invoke
        .section .note.GNU-stack, "", @progbits
