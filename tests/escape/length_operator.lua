-- expect ok
-- # wherever it may stand
local frozen <const> = { 1, 2, 3, list = { 1, 2 } }
local name <const> = "text"
local function two(...) return { ... }, #... end
return { run = function()
    local t, s = { 10, 20, 30, 40 }, "#'[["
    local u = { list = { 1, 2 }, of = function(self, n) return { n, n, n } end, [#t] = #"four", #s; #s }
    assert(#t==4 and# t == 4 and not not#t and - # t == -4 and -#t + #t == 0 and ~#t == ~4 and #t .. #s == "44")
    assert(#u.list == 2 and #u["list"] == 2 and #u:of(1) == 3 and #u.of(u, #u.list) == 3 and #(t) == 4)
    assert(#"a" .. "b" == "1b" and #{ 1, 2 } == 2 and #[[
line]] == 4 and #'' == 0 and #name == 4 and #s:rep(2) == 8)
    assert(2 * #t + 1 == 9 and 10 - #t - #t == 2 and 1 << #t == 16 and #t // 3 == 1 and #t == #t and 3 < #t)
    assert(u[4] == 4 and u[1] == 4 and u[2] == 4 and t[#t] == 40 and t[#u.list] == 20 and t[#t - #u.list + 1] == 30)
    assert(# --[[ # ]] t == 4 and #--
t == 4 and #
t == 4)
    assert(#frozen == 3 and #frozen.list == 2 and #{ two("abc") } == 2 and select(2, two("abc")) == 3)
    assert(({ pcall = 1, [#"x"] = "#" })[1] == "#" and #"\"#\z
        #" == 3)
    local i = 0
    while i < #t do i = i + 1 end
    repeat i = i - 1 until i < #t
    for j = 1, #t do i = i + j end
    for j = #t, #t do i = i + j end
    t[#t + 1] = #t
    t[#t + 1], t[#t + 2] = #t, #t
    goto done
    ::done::
    if #t ~= 7 or t[5] ~= 4 or #{ n = 1 } ~= 0 then return error(#t) end
    return #t
end }
