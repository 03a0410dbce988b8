# recipe.sh NAME: the block of the page that follows its line `<!-- ... recipe NAME... -->`.
set -eu
awk -v name="$1" '
    $0 ~ "^<!-- .*recipe " name "[ ,].*-->$" { wanted = 1; next }
    /^```/ && inside { exit }
    /^```/ && wanted { inside = 1; next }
    inside { print; lines++ }
    END { if (!lines) { print "no recipe " name > "/dev/stderr"; exit 1 } }' "$ENGINES_PAGE"
