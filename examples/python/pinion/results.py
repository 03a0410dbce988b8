"""Results of commands: their JSON, and other forms of them, which the program writes itself when
they are asked for. Runs are stored for the life of the result, so none is repeated."""
import base64
import html
import io
import json
import os
import pathlib
import re
import shutil
import tempfile
import weakref

from . import program

# ---- from what the program writes to what notebooks show -----------------------------------------


def _inline(text):
    return html.escape(re.sub(r"\\(.)", r"\1", text.strip()))


def _cells(line, kind, aligned):
    cells = re.split(r"(?<!\\)\|", line.strip()[1:-1])
    return "<tr>%s</tr>" % "".join(
        '<%s style="text-align: %s">%s</%s>' % (kind, "right" if right else "left", _inline(cell),
                                                kind) for cell, right in zip(cells, aligned))


def html_of(markdown):
    """Returns the tables, lists and lines of --format markdown as HTML."""
    made, lines = [], markdown.splitlines()
    while lines:
        line = lines.pop(0)
        if line.startswith("|") and lines and lines[0].startswith("| -"):
            aligned = [cell.strip().endswith(":") for cell in lines.pop(0).strip()[1:-1].split("|")]
            made.append("<table><thead>%s</thead><tbody>" % _cells(line, "th", aligned))
            while lines and lines[0].startswith("|"):
                made.append(_cells(lines.pop(0), "td", aligned))
            made.append("</tbody></table>")
        elif line.startswith("- "):
            made.append("<li>%s</li>" % _inline(line[2:]))
        elif line.strip():
            made.append("<p>%s</p>" % _inline(line))
    return "\n".join(made)


def picture(svg):
    """Returns a figure for an HTML page, whose styles and names stay its own."""
    data = base64.b64encode(svg.encode()).decode()
    return '<img alt="figure" src="data:image/svg+xml;base64,%s">' % data


# ---- results -------------------------------------------------------------------------------------

# Options that name a store, need one that lasts, or are not for stores.
OWN_STORE = {"store", "shard", "only_stored", "retry", "jobs_detail"}


class Result:
    """The result of a command: `data` is its JSON, and names in it are also attributes."""

    stores = False  # its runs can be stored
    figure = None   # the option that draws one

    def __init__(self, command, *files, **options):
        self.command, self.files, self.options, self._stdin = command, list(files), options, None
        if files and isinstance(files[0], dict):
            self._stdin, self.files[0] = json.dumps(files[0]), "-"
        self._folder = tempfile.mkdtemp(prefix="pinion-")
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        if self.stores and not OWN_STORE & options.keys():
            self.options["store"] = self._folder + "/store"
        for name, instead in ("format", "text"), ("output", "save"):
            if name in options:
                raise TypeError("%s=%r: expected in %s() of the result"
                                % (name, options[name], instead))
        output = self._call(format="json")
        self.data = json.loads(output) if output.strip() else {}

    def _call(self, **options):
        return program.call(self.command, *self.files, stdin=self._stdin,
                            **{**self.options, **options})

    def _again(self, **options):
        """Repeats the command with stored runs, for another form of the result."""
        return self._call(**{"quiet": True, **options})

    def __getattr__(self, name):
        if name == "data" or name not in self.data:
            raise AttributeError("no %r in this result" % name)
        return self.data[name]

    def __getitem__(self, name):
        return self.data[name]

    def text(self, format="table"):
        """Returns the result in a format of the program: table, markdown, latex, json or csv."""
        return self._again(format=format)

    def save(self, file, **options):
        """Writes the result to a file, in the format of its extension: .csv, .html for a page with
        charts, .db for an SQLite database and so on."""
        self._again(output=file, **options)

    def svg(self, **options):
        """Returns a figure of the result, as text; options are those of the command's figures."""
        if not self.figure:
            return None
        path = pathlib.Path(self._folder, "figure.svg")
        self._again(format="json", **{self.figure: path}, **options)
        return path.read_text()

    def __str__(self):
        return self.text()

    def __repr__(self):
        return "<pinion %s: %s>" % (self.command, ", ".join(self.data) or "no result")

    def _repr_svg_(self):
        try:
            return self.svg()
        except program.Error:  # the table stands without it, for one where gnuplot is missing
            return None

    def _repr_html_(self):
        figure = self._repr_svg_()
        return html_of(self.text("markdown")) + (picture(figure) if figure else "")


class Runs(Result):
    """The result of simulate, whose rows are jobs."""

    @property
    def rows(self):
        return self.data.get("rows", self.data.get("jobs", []))

    def to_pandas(self):
        """Returns the long form: one number per row, with policy, replica, group and metric."""
        import pandas
        return pandas.read_csv(io.StringIO(self._again(format="csv", long=True, jobs_detail=None)),
                               float_precision="round_trip")


class Comparison(Runs):
    """The result of compare and sweep: `rows`, one for each policy and cell, and `differences`."""

    stores, figure = True, "plot"

    def cell(self, row):
        """Returns the values of the settings that a sweep varies, of a row."""
        return {one["name"]: row[one["name"]] for one in self.data.get("over", [])}

    @property
    def differences(self):
        """The paired differences to the baseline: what the rows say of them, and `pairs`, the
        differences of the replicas, where the baseline is a policy of the same cell."""
        made = []
        for row in self.rows:
            if row.get("difference") is None:
                continue
            said = {name: value for name, value in row.items()
                    if re.match("difference|relative$|relative_half|wins|significant", name)}
            made.append({**self.cell(row), "policy": row["policy"],
                         "baseline": self.data["baseline"], **said, "pairs": self._pairs(row)})
        return made

    def _pairs(self, row):
        base = [one for one in self.rows if one["policy"] == self.data["baseline"]
                and self.cell(one) == self.cell(row)]
        if not base or "samples" not in row:
            return None
        measure = next(iter(row["samples"]))  # the one that comparisons go by
        return [a - b for a, b in zip(row["samples"][measure], base[0]["samples"][measure])]


class Tuning(Result):
    """The result of tune: `best`, `configurations` and `comparisons`."""

    stores = True

    def to_pandas(self):
        """Returns the configurations, one per row."""
        import pandas
        return pandas.read_csv(io.StringIO(self.text("csv")), float_precision="round_trip")


class Explanation(Result):
    """The result of explain: `phases` of a job, or the jobs at a time."""

    def _again(self, **options):
        return self._call(**options)  # it has no progress

    def to_pandas(self):
        """Returns the phases, or the jobs with their state, one per row."""
        import pandas
        if "phases" in self.data:
            return pandas.DataFrame(self.phases)
        return pandas.DataFrame([{"state": state, **row} for state in ("running", "waiting")
                                 for row in self.data[state]])


class Gantt:
    """The chart of a run: `svg` is its text."""

    def __init__(self, *files, **options):
        self._stdin, files = (json.dumps(files[0]), ("-", *files[1:])) if files and isinstance(
            files[0], dict) else (None, files)
        self._draw = lambda file: program.call("gantt", *files, stdin=self._stdin,
                                               **{**options, "output": file})
        with tempfile.TemporaryDirectory(prefix="pinion-") as folder:
            path = os.path.join(folder, "gantt.svg")
            self._draw(path)
            self.svg = pathlib.Path(path).read_text()

    def save(self, file):
        """Writes the chart to a file: .svg, .html or .json."""
        self._draw(file)

    def _repr_svg_(self):
        return self.svg

    def _repr_html_(self):
        return picture(self.svg)
