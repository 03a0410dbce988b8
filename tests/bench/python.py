"""What a policy in Python costs: least remaining work first on the slotted model, in C, in Lua and
in Python, and the loop for learners of the dag model.

    PYTHONPATH=examples/python python3 tests/bench/python.py [small]
"""
import json
import subprocess
import sys
import time

from pinion import kernel, learning, program

SMALL = sys.argv[1:] == ["small"]
SPEC = "zheng:1,slots=%d" % (200 if SMALL else 20000)
TWIN = "policies/slotted/dspt.lua"


def fastest(call, times=1 if SMALL else 3):
    """Returns the least of some times of a call, seconds, and what it returns."""
    best = None
    for _ in range(times):
        begin = time.perf_counter()
        result = call()
        spent = time.perf_counter() - begin
        best = spent if best is None else min(best, spent)
    return best, result


def in_program(*options):
    """Returns the time of a run, without that of an empty one, and its digest."""
    def run(*more):
        printed = subprocess.run(
            [program.find(), "simulate", "--workload", SPEC, "--set", "reduce=preemptive",
             "--bounds", "none", "--no-jobs", "--quiet", "--format", "json", *options, *more],
            stdout=subprocess.PIPE, check=True).stdout
        return json.loads(printed)
    spent, result = fastest(run)
    empty, _ = fastest(lambda: run("--until", "1"))
    return spent - empty, result["digest"]


def in_process(policy, jobs):
    def prepare():
        sim = kernel.Model("slotted", policy, machines=100, jobs_max=len(jobs), stretches_max=2**22)
        for job in jobs:
            sim.submit(**job)
        return sim
    sims = [prepare() for _ in range(1 if SMALL else 3)]
    spent, last = fastest(lambda: sims.pop() if sims[-1].finish() else None)
    return spent, "%016x" % last.digest()


def main():
    written = json.loads(program.call("workload", SPEC, jobs=True, format="json"))
    jobs = [{"arrival": job["arrival"], "maps": job["maps"], "reduces": job["reduces"]}
            for job in written["jobs"]]
    calls = [0]

    def remaining(view, job):
        calls[0] += 1
        return view.remaining(job)

    own = kernel.policy("slotted", "own", preemptive=1, nonpreemptive=1, work_conserving=1,
                        orders=[{"key": remaining, "members": 3}])
    rows = [("C", *in_process("dspt", jobs)), ("Python", *in_process(own, jobs)),
            ("C, in the program", *in_program("--policy", "dspt")),
            ("Lua, compiled", *in_program("--policy", TWIN)),
            ("Lua", *in_program("--policy", TWIN, "--no-compile"))]
    assert len({digest for _, _, digest in rows}) == 1, rows
    keys = calls[0] / (1 if SMALL else 3)
    base = {"C": rows[0][1], "program": rows[2][1]}
    print("%d jobs, %d keys" % (len(jobs), keys))
    for name, spent, _ in rows:
        beside = base["C" if name in ("C", "Python") else "program"]
        print("%-18s %8.3f s %8.2f us a key more than C" % (name, spent,
                                                           1e6 * (spent - beside) / keys))

    environment = learning.Environment("dag:mixed,jobs=%d" % (5 if SMALL else 60))
    _, info = environment.reset(seed=1)
    begin, steps, over = time.perf_counter(), 0, False
    while not over:
        _, _, terminated, truncated, info = environment.step(0)
        steps, over = steps + 1, terminated or truncated
    print("learner's loop: %d decisions, %.0f a second"
          % (steps, steps / (time.perf_counter() - begin)))
    begin = time.perf_counter()
    for _ in range(10):
        environment.restore(environment.save())
    print("save and restore: %.2f ms" % (100 * (time.perf_counter() - begin)))


if __name__ == "__main__":
    main()
