/* SPDX-License-Identifier: MIT
 *
 * bool late_load(uint64_t address, uint64_t size, uint64_t *value): loads 1, 2, 4 or 8 bytes that may not be there any
 * more; false if they are not. A fault between late_load_begin and late_load_end is not a crash of the program: the
 * handler (signals.c) continues at late_load_failed.
 */
        .text
        .globl  late_load, late_load_begin, late_load_end, late_load_failed
        .hidden late_load, late_load_begin, late_load_end, late_load_failed
        .type   late_load, @function
late_load:
late_load_begin:
        cmp     $4, %rsi
        ja      .Leight
        je      .Lfour
        cmp     $2, %rsi
        je      .Ltwo
        movzbl  (%rdi), %eax
        jmp     .Ldone
.Ltwo:  movzwl  (%rdi), %eax
        jmp     .Ldone
.Lfour: mov     (%rdi), %eax
        jmp     .Ldone
.Leight:
        mov     (%rdi), %rax
late_load_end:
.Ldone: mov     %rax, (%rdx)
        mov     $1, %eax
        ret
late_load_failed:
        xor     %eax, %eax
        ret
        .size   late_load, . - late_load

        .section .note.GNU-stack, "", @progbits
