-- Rows for bars of which a log only says how many machines they take: the first that are free.

local M = {}

---@param rows integer
---@return fun(bar: pinion.LogBar, visit: fun(first: integer, last: integer)) calls with the rows of a bar, neighbours together; bars come in order of start
function M.new(rows)
    local busy = {}
    for row = 1, rows do busy[row] = -1.0 end
    -- All rows below it are taken at this moment.
    local moment, hint = -1.0, 1
    return function(bar, visit)
        if bar.start ~= moment then moment, hint = bar.start, 1 end
        local left, first, row = bar.amount, nil, hint
        while left > 0 and row <= rows do
            if busy[row] <= bar.start then
                busy[row], first, left = bar.finish, first or row, left - 1
            elseif first then
                visit(first, row - 1)
                first = nil
            end
            row = row + 1
        end
        if first then visit(first, row - 1) end
        hint = row
    end
end

return M
