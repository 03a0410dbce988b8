-- Checks that the comment of a function in kernel/ and lua/ begins with a verb that has the
-- function as its subject (Returns, Checks, Writes ...), or with the call as scripts write it:
-- `(path): the file, or nil and why not.` Annotations (lua/meta) describe what scripts see, and are
-- not checked.

local VERBS <const> = {}
for verb in ([[
Abandons Accrues Accumulates Adds Admits Advances Announces Answers Appends Applies Asks Assigns
Balances Becomes Begins Binds Bounds Brings Builds Calls Cancels Carries Carves Catches Changes
Charges Checks Chooses Claims Clears Clips Closes Collects Commits Compares Compiles Completes
Computes Concatenates Converts Copies Counts Creates Cuts Deals Decides Declares Defines Describes
Divides Does Draws Drops Emits Empties Encodes Ends Enters Escapes Estimates Evaluates Executes
Explains Extends Fails Feeds Fills Finds Finishes Fixes Flushes Folds Follows Forecasts Foresees
Forgets Frees Freezes Gathers Gives Goes Groups Guards Guesses Hands Hashes Identifies Improves
Initialises Installs Integrates Interrupts Iterates Joins Judges Keeps Kills Launches Lays Learns
Leaves Lets Lifts Limits Links Lists Loads Looks Makes Maps Marks Measures Merges Mixes Moves
Multiplies Names Narrows Negates Notes Numbers Offers Opens Orders Packs Parses Passes Picks Pins
Places Pops Postpones Preempts Prepares Prints Protects Proves Pushes Puts Quotes Raises Ranks Reads
Records Refines Refreshes Refuses Registers Rejects Releases Remembers Removes Renews Replaces
Replays Reports Requires Resizes Resolves Restarts Restores Resumes Retires Returns Revives Rounds
Runs Samples Satisfies Saves Says Scales Scans Scores Seals Searches Serves Sets Settles Shares
Shifts Shortens Shows Simulates Sinks Skips Solves Sorts Spares Splits Spreads Squares Starts
Starves Steps Stores Submits Sums Supposes Surveys Suspects Suspends Syncs Takes Tallies Tells Tests
Ticks Times Translates Tries Undoes Unlinks Updates Validates Verifies Visits Waits Walks Warns
Weighs Withdraws Works Wraps Writes
]]):gmatch "%a+" do VERBS[verb] = true end

-- What a comment says, without its marks; nil for a banner, and for one that heads several
-- functions of a file, whose name it begins with.
local function said(lines, first, last)
    local words = {}
    for at = first, last do
        local line = lines[at]:gsub("^%s*%-%-%-?%s?", ""):gsub("^/?%*+%s?", ""):gsub("^ %*+%s?", "")
        if not line:find "^@" and not line:find "^%-%-%-%-" then words[#words + 1] = line end
    end
    local text = table.concat(words, " "):match "^%s*(.*)$"
    if text == "" or text:find "^[%w_]+%.[ch]%f[%W]" then return nil end
    return text
end

-- In public headers a comment may also have several functions as its subject (Return, Fill), or be
-- that of a value that a view shows, like that of a field (pending, running or suspended).
local function is_fine(text, is_public)
    local first = text:match "^%u?%l+" or ""
    return VERBS[first] or is_public and (VERBS[first .. "s"] or not first:find "^%u")
        or text:find "^[%({]" or text:find "^[%w_.]+%("
        or text:find "^lua_CFunction"
end

-- Whether a function is declared or defined from line `at` on.
local function is_function(lines, at, is_lua)
    local line = lines[at] or ""
    if is_lua then return line:find "^%s*local function%f[%W]" or line:find "^%s*function%f[%W]" end
    if not line:find "^%a" or line:find "^typedef" or line:find "^#" then return false end
    local before = (line .. " " .. (lines[at + 1] or "")):match "^([^=;{]-)%("
    return before and before:find "[%a_][%w_]*%s*$" and before:find "%s" and true
        and not before:find "^%s*struct%s+[%w_]+%s*$" and not before:find "^%s*enum%s"
end

local found, count = 0, 0
local function check(name)
    local lines, is_lua = {}, name:find "%.lua$"
    for line in io.lines(name) do lines[#lines + 1] = line end
    local at = 1
    while at <= #lines do
        local first, last = at, nil
        if is_lua and lines[at]:find "^%s*%-%-" then
            while (lines[at + 1] or ""):find "^%s*%-%-" do at = at + 1 end
        elseif not is_lua and lines[at]:find "^/%*" and not lines[at]:find "^/%*@" then
            while not lines[at]:find "%*/" do at = at + 1 end
            last = at
            if (lines[at + 1] or ""):find "^/%*@" then -- its contract, for scripts/check/proof.sh
                repeat at = at + 1 until lines[at]:find "%*/"
            end
        else
            first = nil
        end
        if first and is_function(lines, at + 1, is_lua) then
            local text = said(lines, first, last or at)
            if text then
                count = count + 1
                if not is_fine(text, name:find "^kernel/include/") then
                    found = found + 1
                    io.write(string.format("%s:%d: the comment of a function begins with '%s', "
                        .. "expected a verb such as Returns\n", name, first, text:match "^%S+"))
                end
            end
        end
        at = at + 1
    end
end

local files = assert(io.popen("find kernel lua -path lua/meta -prune -o -name '*.[ch]' -print "
    .. "-o -name '*.lua' -print | sort"))
for name in files:lines() do check(name) end
if found > 0 then os.exit(1) end
io.write(string.format("comments of %d functions begin with a verb\n", count))
