#!/usr/bin/env bash
# The form of C, headers, Lua, pages, shell, Python and the Makefile: at most 100 columns, and C as
# clang-format 14 leaves it.
# Longer may be: texts in long brackets that are shown as they are, and `---@` annotations, whose
# tools want one line.
set -euo pipefail
lua5.4 - <<'LUA'
local MOST, found, files = 100, 0, 0
local list = assert(io.popen("find Makefile .ci/run kernel lua policies scripts tests examples "
    .. "-type f '(' -name '*.[ch]' -o -name '*.lua' -o -name '*.js' -o -name '*.css' "
    .. "-o -name '*.sh' -o -name '*.py' -o -name Makefile "
    .. "-o -name run ')'"))
for name in list:lines() do
    if not name:find("^tests/fuzz/corpus/") and not name:find("^tests/escape/")
            and not name:find("^tests/policies/bad/") then
        local number, closing = 0, nil
        files = files + 1
        for line in io.lines(name) do
            number = number + 1
            local inside = closing
            if closing and line:find(closing, 1, true) then closing = nil end
            local at, level = nil, nil
            if name:find "%.lua$" and not closing then at, level = line:match "^.*()%[(=*)%[" end
            if at and line:find("]" .. level .. "]", at, true) then level = nil end
            if level then closing = "]" .. level .. "]" end
            local columns = utf8.len(line) or #line
            if columns > MOST and not inside and not level and not line:find "^%s*%-%-%-@" then
                found = found + 1
                io.write(string.format("%s:%d: %d columns, expected at most %d\n", name, number,
                    columns, MOST))
            end
        end
    end
end
if found > 0 then os.exit(1) end
io.write(string.format("%d files fit into %d columns\n", files, MOST))
LUA
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    find kernel lua scripts tests examples -name '*.[ch]' -print0 |
        xargs -0 clang-format --dry-run --Werror
    echo "format: C, headers, Lua, shell and the Makefile have their form"
else
    echo "format: no clang-format 14 here, C is checked for its width alone"
fi
