"""Pinion from Python: commands of the program, with results for pandas and notebooks, here; the
kernel in this process in pinion.kernel; a loop for learners in pinion.learning. docs/python.md
describes them.

    import pinion
    result = pinion.compare(workload="zheng:0", policies=["fifo", "asrpt"], replicas=20)

Arguments are files or a scenario as a dict, then the program's options (pinion.program), which
`pinion help COMMAND` describes.
"""
from .declarations import PN_VERSION as __version__
from .program import Error, call
from .results import Comparison, Explanation, Gantt, Runs, Tuning

__all__ = ["Error", "call", "compare", "explain", "gantt", "run", "simulate", "sweep", "tune",
           "__version__"]


def run(script, *arguments):
    """Runs an experiment script in Lua and returns what it prints."""
    return call("run", script, *arguments)


def simulate(*scenario, **options):
    """Runs one scenario under one policy."""
    return Runs("simulate", *scenario, **options)


def compare(*scenario, **options):
    """Runs several policies on the same workload."""
    return Comparison("compare", *scenario, **options)


def sweep(*scenario, **options):
    """Compares policies over a grid of settings: over={"machines": [50, 100]}."""
    return Comparison("sweep", *scenario, **options)


def tune(*scenario, **options):
    """Finds good values of a policy's parameters: over={"k": "1..64:log"}."""
    return Tuning("tune", *scenario, **options)


def explain(*files, **options):
    """Shows why a job took so long (job=), or which jobs ran and waited at a time (time=)."""
    return Explanation("explain", *files, **options)


def gantt(*files, **options):
    """Draws a decision log or a run as a Gantt chart."""
    return Gantt(*files, **options)
