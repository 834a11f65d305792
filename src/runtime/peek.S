/* SPDX-License-Identifier: MIT
 *
 * bool memory_peek(uint64_t address, uint64_t size, uint64_t *value): loads 1, 2, 4 or 8 bytes that may not be there any
 * more; false if they are not. A fault between memory_peek_begin and memory_peek_end is no crash of the program: the
 * handler (signals.c) goes on at memory_peek_failed.
 */
        .text
        .globl  memory_peek, memory_peek_begin, memory_peek_end, memory_peek_failed
        .hidden memory_peek, memory_peek_begin, memory_peek_end, memory_peek_failed
        .type   memory_peek, @function
memory_peek:
memory_peek_begin:
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
memory_peek_end:
.Ldone: mov     %rax, (%rdx)
        mov     $1, %eax
        ret
memory_peek_failed:
        xor     %eax, %eax
        ret
        .size   memory_peek, . - memory_peek

        .section .note.GNU-stack, "", @progbits
