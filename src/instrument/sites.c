/* SPDX-License-Identifier: MIT
 *
 * The tables of abi/sites.h: every site a constant of its own in HEDDLE_SITES_SECTION, strings and equal sites shared;
 * and one array each for coverage bytes, branches, notes and names of functions, emitted when the module is done. The
 * arrays are in llvm.used, so that neither the optimiser nor --gc-sections drops them.
 */
#include "base/demangle.h"
#include "instrument/internal.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

static void *string_key(struct unit *unit, const char *string, size_t length) {
  return LLVMMDStringInContext2(unit->context, string, length);
}

static LLVMValueRef add_constant(struct unit *unit, LLVMValueRef value, const char *section) {
  const LLVMValueRef global = LLVMAddGlobal(unit->module, LLVMTypeOf(value), "heddle.constant");
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  if (section) LLVMSetSection(global, section);
  return global;
}

LLVMValueRef sites_constant(struct unit *unit, LLVMValueRef value) {
  return add_constant(unit, value, NULL);
}

static LLVMValueRef string_constant(struct unit *unit, const char *string, size_t length) {
  void *key = string_key(unit, string, length);
  LLVMValueRef global = map_get(&unit->strings, key);
  if (global) return global;
  global = add_constant(unit, LLVMConstStringInContext2(unit->context, string, length, false), NULL);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  LLVMSetAlignment(global, 1);
  map_put(&unit->strings, key, global);
  return global;
}

void sites_begin(struct unit *unit) {
  LLVMTypeRef site[] = {unit->pointer, unit->pointer, unit->pointer, unit->int32, unit->int32};
  LLVMTypeRef branch[] = {unit->pointer, unit->pointer};
  LLVMTypeRef note[] = {unit->pointer, unit->pointer, unit->int64};
  unit->site_type = LLVMStructTypeInContext(unit->context, site, 5, false);
  unit->branch_type = LLVMStructTypeInContext(unit->context, branch, 2, false);
  unit->note_type = LLVMStructTypeInContext(unit->context, note, 3, false);
  unit->coverage = LLVMAddGlobal(unit->module, unit->byte, "");
}

/* A file's name as the user knows it: relative where it lies below the directory of the compilation. */
static void append_file(struct text *path, LLVMMetadataRef scope, LLVMMetadataRef unit_scope) {
  const LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
  if (!file) return;
  const LLVMMetadataRef main_file = LLVMDIScopeGetFile(unit_scope);
  unsigned name_length, directory_length, here_length;
  const char *name = LLVMDIFileGetFilename(file, &name_length);
  const char *directory = LLVMDIFileGetDirectory(file, &directory_length);
  const char *here = LLVMDIFileGetDirectory(main_file, &here_length);
  const bool same = directory_length == here_length && memcmp(directory, here, here_length) == 0;
  if (!same && directory_length && name_length && name[0] != '/') {
    text_append_bytes(path, directory, directory_length);
    text_append(path, "/");
  }
  text_append_bytes(path, name, name_length);
}

/* The compile unit is operand 5 of a subprogram, and knows the directory of the compilation. */
static LLVMMetadataRef compile_unit_of(struct unit *unit, LLVMMetadataRef subprogram) {
  const LLVMMetadataRef compile_unit = metadata_operand(unit, subprogram, 5);
  return compile_unit ? compile_unit : subprogram;
}

/* Of C++, with the classes and namespaces that it is in. */
static LLVMValueRef cxx_name(struct unit *unit, LLVMMetadataRef subprogram) {
  unsigned length = 0;
  const char *linkage_name = metadata_string(unit, metadata_operand(unit, subprogram, 3), &length);
  char *mangled = linkage_name ? strndup(linkage_name, length) : NULL, *name = mangled ? demangle(mangled) : NULL;
  const LLVMValueRef constant = name ? string_constant(unit, name, strlen(name)) : NULL;
  free(mangled);
  free(name);
  return constant;
}

static LLVMValueRef function_name(struct unit *unit, LLVMValueRef function, LLVMMetadataRef subprogram) {
  unsigned length = 0;
  const LLVMValueRef whole_name = unit->is_cxx && subprogram ? cxx_name(unit, subprogram) : NULL;
  if (whole_name) return whole_name;
  const char *source_name = metadata_string(unit, metadata_operand(unit, subprogram, 2), &length);
  if (source_name) return string_constant(unit, source_name, length);
  size_t name_length;
  const char *name = LLVMGetValueName2(function, &name_length);
  return string_constant(unit, name, name_length);
}

static LLVMValueRef site_global(struct unit *unit, LLVMValueRef file, LLVMValueRef function, const char *variable,
                                unsigned line, unsigned column) {
  LLVMValueRef fields[] = {
      file,
      function,
      string_constant(unit, variable, strlen(variable)),
      LLVMConstInt(unit->int32, line, false),
      LLVMConstInt(unit->int32, column, false),
  };
  const LLVMValueRef record = LLVMConstStructInContext(unit->context, fields, 5, false);
  LLVMValueRef global = map_get(&unit->sites, record); /* equal constants are one constant */
  if (global) return global;
  global = add_constant(unit, record, HEDDLE_SITES_SECTION);
  LLVMSetAlignment(global, 8);
  map_put(&unit->sites, record, global);
  return global;
}

static LLVMValueRef site_in_function(struct unit *unit, LLVMValueRef function, LLVMMetadataRef scope,
                                     const char *variable, unsigned line, unsigned column) {
  const LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  struct text path = {0};
  if (subprogram) append_file(&path, scope ? scope : subprogram, compile_unit_of(unit, subprogram));
  const LLVMValueRef file = string_constant(unit, text_string(&path), path.length);
  text_free(&path);
  return site_global(unit, file, function_name(unit, function, subprogram), variable, line, column);
}

/* Of functions of headers that became part of others (headers.c), the place in the program. */
static LLVMMetadataRef location_of(LLVMValueRef instruction) {
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
  while (location && LLVMDILocationGetInlinedAt(location) &&
         sites_is_system_file(LLVMDIScopeGetFile(LLVMDILocationGetScope(location))))
    location = LLVMDILocationGetInlinedAt(location);
  return location;
}

LLVMValueRef sites_of_instruction(struct unit *unit, LLVMValueRef instruction, const char *variable) {
  const LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  const LLVMMetadataRef location = location_of(instruction);
  if (!location) return site_in_function(unit, function, NULL, variable, 0, 0);
  return site_in_function(unit, function, LLVMDILocationGetScope(location), variable, LLVMDILocationGetLine(location),
                          LLVMDILocationGetColumn(location));
}

LLVMValueRef sites_of_function(struct unit *unit, LLVMValueRef function) {
  const LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  const unsigned line = subprogram ? LLVMDISubprogramGetLine(subprogram) : 0;
  return site_in_function(unit, function, NULL, "", line, 0);
}

LLVMValueRef sites_of_module(struct unit *unit) {
  size_t length;
  const char *name = LLVMGetSourceFileName(unit->module, &length);
  return site_global(unit, string_constant(unit, name, length), string_constant(unit, "", 0), "", 0, 0);
}

bool sites_is_system_file(LLVMMetadataRef file) {
  if (!file) return false;
  unsigned length;
  const char *name = LLVMDIFileGetFilename(file, &length);
  static const char *const directories[] = {"/usr/include/", "/usr/lib/"};
  for (size_t i = 0; i < 2; i++)
    if (length > strlen(directories[i]) && functions_starts_with(name, directories[i])) return true;
  static const char of_heddle[] = "/include/cxx/", elsewhere[] = "/include/c++/";
  if (memmem(name, length, elsewhere, sizeof elsewhere - 1)) return true;
  return memmem(name, length, of_heddle, sizeof of_heddle - 1) != NULL;
}

bool sites_in_system_header(LLVMValueRef instruction) {
  const LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
  return location && sites_is_system_file(LLVMDIScopeGetFile(LLVMDILocationGetScope(location)));
}

LLVMValueRef sites_add_branch(struct unit *unit, LLVMValueRef site) {
  LLVMValueRef offset = hooks_integer(unit, 2 * unit->branches.count);
  vector_push(&unit->branches, site);
  return LLVMConstInBoundsGEP2(unit->byte, unit->coverage, &offset, 1);
}

LLVMValueRef sites_byte_of_line(struct unit *unit, LLVMValueRef instruction) {
  const LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
  const unsigned line = location ? LLVMDILocationGetLine(location) : 0;
  if (line == 0 || sites_in_system_header(instruction)) return NULL;
  const LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  const LLVMValueRef site = site_in_function(unit, function, LLVMDILocationGetScope(location), "", line, 0);
  LLVMValueRef byte = map_get(&unit->line_numbers, site);
  if (byte) return byte;
  LLVMValueRef offset = hooks_integer(unit, unit->lines.count);
  byte = LLVMConstInBoundsGEP2(unit->byte, unit->line_bytes, &offset, 1);
  vector_push(&unit->lines, site);
  map_put(&unit->line_numbers, site, byte);
  return byte;
}

void sites_add_note(struct unit *unit, enum note_kind kind, LLVMValueRef site, const char *what) {
  struct text name = {0};
  text_append_format(&name, "%d %s", kind, what);
  void *key = string_key(unit, name.string, name.length);
  text_free(&name);
  if (map_get(&unit->noted, key)) return;
  map_put(&unit->noted, key, key);
  LLVMValueRef fields[] = {site, string_constant(unit, what, strlen(what)), hooks_integer(unit, kind)};
  const LLVMValueRef note = add_constant(unit, LLVMConstStructInContext(unit->context, fields, 3, false), NULL);
  vector_push(&unit->notes, note);
}

void sites_add_function(struct unit *unit, const char *name) {
  vector_push(&unit->function_names, string_constant(unit, name, strlen(name)));
}

static const char linker_keeps[] = "llvm.used", compiler_keeps[] = "llvm.compiler.used";

/* Adds to such a list, which may already hold what the program marked as used. */
static void keep(struct unit *unit, const char *list_name, LLVMValueRef *globals, unsigned count) {
  VECTOR(LLVMValueRef) used = {0};
  const LLVMValueRef old = LLVMGetNamedGlobal(unit->module, list_name);
  if (old) {
    const LLVMValueRef list = LLVMGetInitializer(old);
    for (int i = 0; i < LLVMGetNumOperands(list); i++) vector_push(&used, LLVMGetOperand(list, (unsigned)i));
    LLVMDeleteGlobal(old);
  }
  for (unsigned i = 0; i < count; i++) vector_push(&used, globals[i]);
  const LLVMValueRef array = LLVMConstArray2(unit->pointer, used.items, used.count);
  const LLVMValueRef global = LLVMAddGlobal(unit->module, LLVMTypeOf(array), list_name);
  LLVMSetInitializer(global, array);
  LLVMSetLinkage(global, LLVMAppendingLinkage);
  LLVMSetSection(global, "llvm.metadata");
  vector_free(&used);
}

static LLVMValueRef table(struct unit *unit, LLVMTypeRef type, LLVMValueRef *rows, size_t count, const char *section) {
  const LLVMValueRef global = add_constant(unit, LLVMConstArray2(type, rows, count), section);
  LLVMSetAlignment(global, 8); /* rows of several objects must follow each other without gaps */
  return global;
}

static LLVMValueRef coverage_bytes(struct unit *unit, size_t count) {
  const LLVMTypeRef type = LLVMArrayType2(unit->byte, count);
  const LLVMValueRef bytes = LLVMAddGlobal(unit->module, type, "heddle.coverage");
  LLVMSetInitializer(bytes, LLVMConstNull(type));
  LLVMSetLinkage(bytes, LLVMPrivateLinkage);
  LLVMSetSection(bytes, HEDDLE_COVERAGE_SECTION);
  LLVMSetAlignment(bytes, 1);
  return bytes;
}

/* Each site with its bytes: struct branch, and struct covered_line, which looks the same. */
static LLVMValueRef coverage_table(struct unit *unit, LLVMValueRef *sites, size_t count, LLVMValueRef bytes,
                                   size_t bytes_each, const char *section) {
  LLVMValueRef *rows = memory_allocate((count + 1) * sizeof *rows);
  for (size_t i = 0; i < count; i++) {
    LLVMValueRef offset = hooks_integer(unit, bytes_each * i);
    LLVMValueRef fields[] = {sites[i], LLVMConstInBoundsGEP2(unit->byte, bytes, &offset, 1)};
    rows[i] = LLVMConstStructInContext(unit->context, fields, 2, false);
  }
  const LLVMValueRef result = table(unit, unit->branch_type, rows, count, section);
  free(rows);
  return result;
}

void sites_finish(struct unit *unit) {
  LLVMValueRef tables[6];
  unsigned count = 0;
  if (unit->branches.count) {
    const LLVMValueRef bytes = coverage_bytes(unit, 2 * unit->branches.count);
    LLVMReplaceAllUsesWith(unit->coverage, bytes);
    tables[count++] = bytes;
    tables[count++] =
        coverage_table(unit, unit->branches.items, unit->branches.count, bytes, 2, HEDDLE_BRANCHES_SECTION);
  }
  LLVMDeleteGlobal(unit->coverage);
  if (unit->lines.count) {
    const LLVMValueRef bytes = coverage_bytes(unit, unit->lines.count);
    LLVMReplaceAllUsesWith(unit->line_bytes, bytes);
    tables[count++] = bytes;
    tables[count++] = coverage_table(unit, unit->lines.items, unit->lines.count, bytes, 1, HEDDLE_LINES_SECTION);
  }
  if (unit->line_bytes) LLVMDeleteGlobal(unit->line_bytes);
  if (unit->notes.count)
    tables[count++] = table(unit, unit->pointer, unit->notes.items, unit->notes.count, HEDDLE_NOTES_SECTION);
  if (unit->function_names.count)
    tables[count++] =
        table(unit, unit->pointer, unit->function_names.items, unit->function_names.count, HEDDLE_FUNCTIONS_SECTION);
  if (count) keep(unit, linker_keeps, tables, count);
}

void sites_mark(struct unit *unit, const char *section) {
  LLVMValueRef mark = add_constant(unit, LLVMConstInt(unit->byte, 1, false), section);
  keep(unit, linker_keeps, &mark, 1);
}

LLVMValueRef sites_keep_bytes(struct unit *unit, const char *bytes, size_t count, const char *section) {
  LLVMValueRef global = add_constant(unit, LLVMConstStringInContext2(unit->context, bytes, count, true), section);
  LLVMSetAlignment(global, 8);
  keep(unit, compiler_keeps, &global, 1);
  return global;
}

void sites_free(struct unit *unit) {
  map_free(&unit->strings);
  map_free(&unit->sites);
  map_free(&unit->noted);
  map_free(&unit->line_numbers);
  vector_free(&unit->lines);
  vector_free(&unit->branches);
  vector_free(&unit->notes);
  vector_free(&unit->function_names);
}
