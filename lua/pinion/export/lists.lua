---Local lists of a policy in C: each has its place in the policy's memory, with its length before
---its entries, of which there are as many as jobs at most.
local Writer = require "pinion.export.expressions"
local values = require "pinion.export.values"

---Returns memory for a length and a number for each job there may be, the same for the same key.
function Writer:memory_of_jobs(name, key)
    local exporter, c, count = self.exporter, name, 1
    if exporter.lists[key] then return exporter.lists[key] end
    while exporter.lists[c] do
        count = count + 1
        c = name .. "_" .. count
    end
    local cells = { name = c .. " ", kind = "list", more = 1, each = 1, c = c, used = true,
        owner = self.made.c }
    exporter.lists[key], exporter.lists[c] = cells, cells
    table.insert(exporter.source.cells, cells)
    return cells
end

---Returns a new list, which is empty; nil: the node makes none. It has the name of its variable.
function Writer:new_list(node)
    if node.kind ~= "table" or #node.items > 0 then return nil end
    local cells = self:memory_of_jobs("list_" .. (node.name or ""),
        self.made.c .. tostring(node))
    self:line("%s(view)->integer = 0;", cells.c)
    return values.new("list", cells.c .. "(view)", values.ATOM, { list = cells })
end

---Returns the length of a list.
function Writer:length(list)
    return values.int(list.c .. "->integer", values.ATOM, 0, 2.0 ^ 32)
end

---Returns an entry of a list: nothing but what was put there.
function Writer:entry(list, index, node)
    local c = self:convert(index, "int", node)
    local value = self:cell(string.format("entry(view, %s, %s)->", list.c, c), list.list)
    value.entry = list.list
    if value.type == "job" then value.cells, value.is_there = nil, true end
    return value
end

---Returns the room for one more entry.
function Writer:new_entry(list)
    local value = self:cell(string.format("append(view, %s)->", list.c), list.list)
    value.entry = list.list
    return value
end

---Returns the list to which a statement such as list[#list + 1] = value appends; nil: it does not.
function Writer:appended(target)
    local of, index = target.of, target.index
    if target.kind ~= "index" or of.kind ~= "name" or index.kind ~= "binary" or index.sign ~= "+"
        or index.left.kind ~= "unary" or index.left.sign ~= "#" or index.left.of.name ~= of.name
        or index.right.value ~= 1 then
        return nil
    end
    local list = self:value(of)
    return list.type == "list" and list or nil
end

return Writer
