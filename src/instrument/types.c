/* SPDX-License-Identifier: MIT
 *
 * Types with synchronisation objects of libc in them, by the names that its headers give them.
 */
#include "instrument/internal.h"

static bool is_synchronisation(LLVMTypeRef structure) {
  static const char *const names[] = {"union.pthread_mutex_t",
                                      "union.pthread_cond_t",
                                      "union.pthread_rwlock_t",
                                      "union.pthread_barrier_t",
                                      "union.sem_t",
                                      "union.mtx_t",
                                      "union.cnd_t",
                                      "struct.std::once_flag"};
  const char *name = LLVMGetStructName(structure);
  for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
    if (functions_starts_with(name, names[i])) return true;
  return false;
}

bool types_have_synchronisation(LLVMTypeRef type) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMArrayTypeKind) return types_have_synchronisation(LLVMGetElementType(type));
  if (kind != LLVMStructTypeKind) return false;
  if (is_synchronisation(type)) return true;
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
    if (types_have_synchronisation(LLVMStructGetTypeAtIndex(type, i))) return true;
  return false;
}
