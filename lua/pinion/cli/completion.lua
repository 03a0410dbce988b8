-- The completion for bash, zsh and fish, made from the parser and the program's own lists:
-- commands, options, and the values that options take.

local check = require "pinion.base.check"
local help = require "pinion.cli.help"
local options = require "pinion.cli.options"
local topics = require "pinion.cli.topics"
local values = require "pinion.cli.values"

local M = {}

-- The kind of value that an option takes, where its words are known; `several`: separated by
-- commas, `file`: a file that ends so may stand there too.
local OPTION_VALUES = {
    ["--format"] = { "format" }, ["--bounds"] = { "bounds" }, ["--model"] = { "model" },
    ["--workload"] = { "workload" }, ["--kind"] = { "kind" }, ["--of"] = { "measure" },
    ["--set"] = { "setting" }, ["--from"] = { "policy" }, ["--baseline"] = { "policy" },
    ["--policy"] = { "policy", file = "lua" },
    ["--policies"] = { "policy", several = true },
    ["--metrics"] = { "metric", several = true },
}
local ARGUMENT_VALUES = {
    workload = "workload", policies = "policy", help = "topic", completion = "shell",
}
-- Other commands whose arguments are no files.
local NO_FILES = { ["new-policy"] = true, ["new-workload"] = true, version = true, paper = true }

local FILE_ARGUMENTS = { FILE = true, FILE2 = true, DIR = true }

-- ---- what there is ------------------------------------------------------------------------------

-- Lists every option once, whichever commands have it.
local function all_options(parser)
    local list, seen = {}, {}
    for _, command in ipairs(parser._commands) do
        for _, option in ipairs(command._options) do
            local name = help.long_name(option)
            if not seen[name] then list[#list + 1], seen[name] = option, true end
        end
    end
    return list
end

local function takes_value(option)
    return option._argname ~= nil
end

local function aliases_of(option)
    local names = {}
    for _, alias in ipairs(option._aliases) do names[#names + 1] = alias end
    return names
end

local function gather()
    local parser, offered = options.parser(), values.offered()
    offered.topic = topics.names(parser)
    return {
        parser = parser, offered = offered, commands = options.names(parser._commands),
        options = all_options(parser),
    }
end

local function words(list)
    return table.concat(list, " ")
end

local function option_names(command)
    local names = {}
    for _, option in ipairs(command._options) do
        for _, alias in ipairs(aliases_of(option)) do names[#names + 1] = alias end
    end
    return words(names)
end

local function joined(lines)
    return table.concat(lines, "\n") .. "\n"
end

-- ---- bash ---------------------------------------------------------------------------------------

local BASH_HEAD = [[
# Completion of pinion for bash, printed by `pinion completion bash`.

_pinion_words() { # WORDS, and what stands in front of each
    COMPREPLY+=($(compgen -P "${2-}" -W "$1" -- "${current#"${2-}"}"))
    # A word that ends so goes on.
    case ${COMPREPLY[0]-} in
    *: | *=) [ ${#COMPREPLY[@]} -gt 1 ] || compopt -o nospace 2>/dev/null ;;
    esac
}

_pinion_files() { # SUFFIX, or none for all files
    local IFS=$'\n' # a name may hold blanks
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -d -- "$current") $(compgen -f ${1:+-X "!*.$1"} -- "$current"))
}

_pinion() {
    local current=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1)) list=
    COMPREPLY=()
    # bash takes = and : for words of their own.
    if [ "$current" = = ] || [ "$current" = : ]; then
        current=
        at=$COMP_CWORD
    fi
    local previous=${COMP_WORDS[at]}
    [ "$previous" != = ] || previous=${COMP_WORDS[at - 1]}
    if [ "$previous" = : ]; then _pinion_files; return; fi]]

local function bash_value(option, offered)
    local known = OPTION_VALUES[help.long_name(option)]
    if not known then return FILE_ARGUMENTS[option._argname] and "_pinion_files" or ":" end
    local list = words(offered[known[1]])
    if known.several then
        return string.format(
            'list=; [[ $current != *,* ]] || list=${current%%,*},; _pinion_words "%s" "$list"',
            list)
    end
    return string.format('_pinion_words "%s"', list)
        .. (known.file and "; _pinion_files " .. known.file or "")
end

function M.bash()
    local all, lines = gather(), { BASH_HEAD }
    local function add(...) lines[#lines + 1] = string.format(...) end
    add('    if [ "$COMP_CWORD" -eq 1 ]; then')
    add('        _pinion_words "%s --help --version"', words(all.commands))
    add("        return\n    fi")
    add('    case $previous in')
    for _, option in ipairs(all.options) do
        if takes_value(option) then
            add("    %s) %s; return ;;", table.concat(aliases_of(option), " | "),
                bash_value(option, all.offered))
        end
    end
    add("    esac")
    add('    case ${COMP_WORDS[1]}:$current in')
    for _, command in ipairs(all.parser._commands) do
        add('    %s:-*) _pinion_words "%s" ;;', command._name, option_names(command))
    end
    for _, name in ipairs(check.sorted_keys(ARGUMENT_VALUES)) do
        local kind = ARGUMENT_VALUES[name]
        add('    %s:*) _pinion_words "%s" ;;', name, words(all.offered[kind]))
    end
    for _, name in ipairs(check.sorted_keys(NO_FILES)) do add("    %s:*) ;;", name) end
    add("    *) _pinion_files ;;\n    esac\n}\n")
    add("complete -F _pinion pinion")
    return joined(lines)
end

-- ---- zsh ----------------------------------------------------------------------------------------

local ZSH_HEAD = [[
#compdef pinion
# Completion of pinion for zsh, printed by `pinion completion zsh`.

_pinion() {
    local previous=$words[CURRENT-1]
    # --format=json is one word.
    if compset -P '--[a-z-]##='; then previous=${IPREFIX%=}; fi]]

-- Quotes in single quotes.
local function quoted(text)
    return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function zsh_value(option, offered)
    local known = OPTION_VALUES[help.long_name(option)]
    if not known then
        return FILE_ARGUMENTS[option._argname] and "_files"
            or "_message " .. quoted(option._argname)
    end
    local list = words(offered[known[1]])
    if known.several then return "compset -P '*,'; compadd -qS , -- " .. list end
    local ends = (known[1] == "setting" or known[1] == "workload") and "-S '' " or ""
    return "compadd " .. ends .. "-- " .. list
        .. (known.file and string.format("; _files -g '*.%s'", known.file) or "")
end

local function zsh_described(list)
    local entries = {}
    for i, entry in ipairs(list) do
        entries[i] = "        " .. quoted(entry[1]:gsub(":", "\\:") .. ":" .. entry[2])
    end
    return table.concat(entries, "\n")
end

function M.zsh()
    local all, lines = gather(), { ZSH_HEAD }
    local function add(...) lines[#lines + 1] = string.format(...) end
    local commands = {}
    for i, command in ipairs(all.parser._commands) do
        commands[i] = { command._name, command._brief }
    end
    add("    local -a commands=(\n%s\n    )", zsh_described(commands))
    add("    if (( CURRENT == 2 )); then _describe command commands; return; fi")
    add("    case $previous in")
    for _, option in ipairs(all.options) do
        if takes_value(option) then
            add("    %s) %s; return ;;", table.concat(aliases_of(option), "|"),
                zsh_value(option, all.offered))
        end
    end
    add("    esac")
    add("    case $words[2]:$PREFIX in")
    for _, command in ipairs(all.parser._commands) do
        add("    %s:-*) compadd -- %s ;;", command._name, option_names(command))
    end
    for _, name in ipairs(check.sorted_keys(ARGUMENT_VALUES)) do
        local kind = ARGUMENT_VALUES[name]
        add("    %s:*) compadd %s-- %s ;;", name, kind == "workload" and "-S '' " or "",
            words(all.offered[kind]))
    end
    for _, name in ipairs(check.sorted_keys(NO_FILES)) do add("    %s:*) ;;", name) end
    add("    *) _files ;;\n    esac\n}\n")
    -- Found in $fpath the file is the function; read by hand it registers it.
    add('if [[ $funcstack[1] == _pinion ]]; then _pinion "$@"; else compdef _pinion pinion; fi')
    return joined(lines)
end

-- ---- fish ---------------------------------------------------------------------------------------

local function fish_value(option, offered)
    local known = OPTION_VALUES[help.long_name(option)]
    if not known then return FILE_ARGUMENTS[option._argname] and " -r -F" or " -x" end
    local list = words(offered[known[1]])
    if known.several then return string.format(" -x -a '(__fish_append , %s)'", list) end
    return string.format(" %s -a '%s'", known.file and "-r -F" or "-x", list)
end

local function fish_option(option)
    local parts = {}
    for _, alias in ipairs(option._aliases) do
        parts[#parts + 1] = #alias == 2 and "-s " .. alias:sub(2) or "-l " .. alias:sub(3)
    end
    return words(parts)
end

-- Quotes in single quotes of fish.
local function fish_quoted(text)
    return "'" .. text:gsub("[\\']", "\\%0") .. "'"
end

function M.fish()
    local all = gather()
    local lines = { "# Completion of pinion for fish, printed by `pinion completion fish`." }
    local function add(...) lines[#lines + 1] = string.format(...) end
    add("complete -c pinion -n __fish_use_subcommand -f -s V -l version")
    for _, command in ipairs(all.parser._commands) do
        add("complete -c pinion -n __fish_use_subcommand -f -a %s -d %s", command._name,
            fish_quoted(command._brief))
    end
    for _, command in ipairs(all.parser._commands) do
        local name = command._name
        local here = string.format("complete -c pinion -n '__fish_seen_subcommand_from %s'", name)
        if ARGUMENT_VALUES[name] then
            add("%s -f -a '%s'", here, words(all.offered[ARGUMENT_VALUES[name]]))
        elseif NO_FILES[name] then
            add("%s -f", here)
        end
        for _, option in ipairs(command._options) do
            local brief = help.brief_of(command, option)
            add("%s %s%s%s", here, fish_option(option),
                takes_value(option) and fish_value(option, all.offered) or "",
                brief and " -d " .. fish_quoted(brief) or "")
        end
    end
    return joined(lines)
end

---@return integer exit code
function M.completion(args)
    io.stdout:write(M[args.shell]())
    return 0
end

return M
