"""The installed program: finds it, runs a command of it, turns its errors into exceptions.

Keyword arguments are the program's options by their names, until_half= is --until-half (from_= is
--from, as Python has a keyword of this name):

    True            the option without a value; None and False: not given
    a dict          the option once for each NAME=VALUE, set={"machines": 50}; a VALUE that is
                    a dict is JSON
    a list          values between commas, or the option once for each where it is repeatable
    (NAME, {...})   a policy with parameters, NAME:PARAMETER=VALUE
"""
import functools
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import threading

# This folder is examples/python/pinion of a checkout, or lies among installed packages.
CHECKOUT = pathlib.Path(__file__).resolve().parents[3]


class Error(RuntimeError):
    """What the program reports before it ends with an error."""


def find():
    """Returns the path of the program: PINION, that of the checkout, or that of PATH."""
    built = CHECKOUT / "build" / "pinion"
    found = os.environ.get("PINION") or (str(built) if built.exists() else shutil.which("pinion"))
    if not found or not shutil.which(found):
        raise Error("%s is no program, expected pinion in PATH or named by PINION"
                    % (found or "pinion"))
    return found


# ---- options -------------------------------------------------------------------------------------

def text_of(value):
    """Returns a value as the program reads it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], dict):
        return ":".join([text_of(value[0])] + ["%s=%s" % (name, text_of(one))
                                               for name, one in value[1].items()])
    if isinstance(value, (list, tuple)):
        return ",".join(map(text_of, value))
    return json.dumps(value) if isinstance(value, dict) else str(value)


@functools.lru_cache(maxsize=None)
def _repeatable(program, command):
    """Returns the options of a command that may be given several times, as its help says."""
    help_text = subprocess.run([program, "help", command], stdout=subprocess.PIPE, text=True).stdout
    rows = re.findall(r"^ +(?:-\w [^-\n]*,\s+)?(--[\w-]+)(.*?)(?=^ +-|^$)", help_text,
                      flags=re.M | re.S)
    return {option for option, row in rows if "(repeatable)" in row}


def arguments_of(command, options):
    """Returns options as arguments of a command."""
    made = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            made.append(option)
        elif isinstance(value, dict):
            made += [part for key, one in value.items()
                     for part in (option, "%s=%s" % (key, text_of(one)))]
        elif isinstance(value, list) and option in _repeatable(find(), command):
            made += [part for one in value for part in (option, text_of(one))]
        else:
            made += [option, text_of(value)]
    return made


# ---- running -------------------------------------------------------------------------------------

def _shows_progress():
    return sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)


class _Errors:
    """The standard error of a child. Progress is shown as it comes; the program writes it for a
    terminal only, so the child gets one where this process has one or is a notebook."""

    def __init__(self):
        self.read, self.write = pty.openpty() if _shows_progress() else os.pipe()
        self.kept, self.thread = "", threading.Thread(target=self._pump, daemon=True)

    def start(self):
        os.close(self.write)
        self.thread.start()

    def _pump(self):
        while True:
            try:
                part = os.read(self.read, 4096)
            except OSError:  # a terminal without an end to write to
                part = b""
            if not part:
                break
            text = part.decode(errors="replace")
            if "\r\x1b[K" in text and "\n" not in text:
                sys.stderr.write(text)
                sys.stderr.flush()
            else:
                self.kept += text

    def text(self):
        """Waits for the end, and returns all but progress."""
        self.thread.join()
        os.close(self.read)
        return re.sub(r"\r\x1b\[K[^\r\n]*|\r(?=\n)", "", self.kept).strip("\r\n")


def _end(process):
    """Ends a child and its workers: first as Ctrl-C does, so that finished runs are stored."""
    for number, seconds in (signal.SIGINT, 5), (signal.SIGKILL, 5):
        try:
            os.killpg(process.pid, number)
            process.wait(seconds)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
        return


def call(command, *arguments, stdin=None, **options):
    """Runs a command of the program and returns its standard output, as text. `stdin` is its
    standard input. Raises Error with the program's message where it fails."""
    line = [find(), command, *map(str, arguments), *arguments_of(command, options)]
    if shutil.which("setpriv"):  # the program ends with this process, however that ends
        line = ["setpriv", "--pdeathsig", "TERM", *line]
    errors = _Errors()
    process = subprocess.Popen(
        line, stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=errors.write, start_new_session=True)
    errors.start()
    try:
        output, _ = process.communicate(None if stdin is None else stdin.encode())
    except BaseException:
        _end(process)
        process.stdout.close()
        errors.text()
        raise
    said = errors.text()
    if process.returncode != 0:
        raise Error(re.sub(r"\A(Usage:.*?\n)?pinion: ", "", said, flags=re.S) or
                    "pinion %s ended with status %d" % (command, process.returncode))
    if said:
        print(said, file=sys.stderr)
    return output.decode()
