/* What a function writes: memory. */
#include <string.h>

#include "translate.h"

static void emit_write(translator *t, enum program_operation operation, int a, int b, int value)
{
    if (!translate_need(t, value))
        return;
    translate_emit(t, operation, a, b, value);
    t->program->acts = true;
}

void translate_set_field(translator *t, int a, const bytecode_constant *name, int value)
{
    const pn_lua_policy *policy = t->policy;
    uint32_t cells = translate_find_cells(policy, false, name);
    if (t->now.registers[a].kind == IS_STATE && cells < policy->cell_count &&
        policy->cells[cells].kind == CELL_SINGLE)
        emit_write(t, STEP_SET_STATE, 0, (int)cells, value);
    else
        translate_refuse(t, "it writes to a table");
}

void translate_set_element(translator *t, int a, int index, int value)
{
    const policy_value *name = translate_known(t, index);
    known table = t->now.registers[a];
    if (name && name->type == VALUE_TEXT)
        translate_set_field(t, a,
                            &(bytecode_constant){.type = LUA_TSTRING,
                                                 .text = name->as.text,
                                                 .size = strlen(name->as.text)},
                            value);
    else if (table.kind == IS_STATE && translate_need(t, index))
        emit_write(t, STEP_SET_NAMED, 0, index, value);
    else if (table.kind == IS_CELLS && translate_need(t, index))
        emit_write(t, STEP_SET_CELL, table.which, index, value);
    else
        translate_refuse(t, "it writes to a table");
}
