-- Files of columns between tabs.

local M = {}

---Returns the rows of a file, by the names of its header.
function M.rows(path)
    local header, rows = nil, {}
    for line in io.lines(path) do
        local row, column = {}, 0
        for cell in (line .. "\t"):gmatch "([^\t]*)\t" do
            column = column + 1
            row[header and header[column] or column] = cell
        end
        if header then rows[#rows + 1] = row else header = row end
    end
    return rows
end

return M
