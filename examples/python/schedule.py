"""The scheduler core from Python with real tasks: it says on which node a task starts, the host
starts a process there. Jobs count the words of files: a map counts one file's, the reduce adds up.
The nodes are imagined, with two map slots and a reduce slot each; files lie on one or the other.

    python3 examples/python/schedule.py FOLDER...
"""
import os
import queue
import subprocess
import sys
import threading
import time

from pinion import kernel

NODES = {"count": 2, "map_slots": 2, "reduce_slots": 1}
TICK_MS = 500
jobs = []       # by tag: the files, and what their maps counted
processes = {}  # by token: those of the attempts that run
ended = queue.Queue()  # (task, exit status, output)
origin = time.monotonic()
wake = kernel.PN_SCHEDULER_NEVER  # when the core wants its slots offered again


def now():
    return int(1000 * (time.monotonic() - origin))


# ---- what the core decides -----------------------------------------------------------------------

def launch(_, pointer):
    task = kernel.pn_scheduler_task.from_buffer_copy(pointer.contents)  # it outlives the call
    job = jobs[task.tag]
    if task.kind == kernel.PN_SCHEDULER_MAP:
        command = ["wc", "-w", job["files"][task.task]]
    else:
        command = ["expr", "0"] + [word for n in job["counts"] for word in ("+", str(n))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    processes[task.token] = process

    def wait():  # in a thread: the loop hears of the end through the queue
        output, _ = process.communicate()
        ended.put((task, process.returncode, output))
    threading.Thread(target=wait, daemon=True).start()


def kill(_, task):
    processes.pop(task.contents.token).kill()


def wake_at(_, at):
    global wake
    wake = min(wake, at)


def report(_, record):
    record, job = record.contents, jobs[record.contents.tag]
    if record.state == kernel.PN_SCHEDULER_FINISHED:
        print("%s: %d files, %s words" % (job["name"], record.maps, job["total"]))
    else:
        print("%s: failed" % job["name"])


def replicas(_, number, nodes, most):
    nodes[0] = number % 2
    return 1


# ---- what happens --------------------------------------------------------------------------------

def finish(core, task, status, output):
    """A process has ended; one that the core had killed is none of its business any more."""
    if processes.pop(task.token, None) is None:
        return
    if status != 0:
        core.failed(now(), task.token)
        return
    job = jobs[task.tag]
    if task.kind == kernel.PN_SCHEDULER_MAP:
        job["counts"][task.task] = int(output.split()[0])
    else:
        job["total"] = int(output)
    core.finished(now(), task.token)


def offer(core):
    """Nodes offer their free slots, but only those that the core has a use for."""
    global wake
    wake = kernel.PN_SCHEDULER_NEVER
    for kind in kernel.PN_SCHEDULER_MAP, kernel.PN_SCHEDULER_REDUCE:
        node = core.next_wanted(kind, 0)
        while node < NODES["count"]:
            core.offer(now(), node)
            node = core.next_wanted(kind, node + 1)


def run(folders):
    core = kernel.Model(
        "scheduler", "fair", nodes=[NODES], jobs_max=len(folders), tasks_max=1000 * len(folders),
        reduce_start=kernel.PN_SCHEDULER_AFTER_MAPS, locality_delay_ms=20, launch=launch, kill=kill,
        wake_at=wake_at, on_finish=report)
    for folder in folders:
        files = sorted(entry.path for entry in os.scandir(folder) if entry.is_file())
        jobs.append({"name": folder, "files": files, "counts": [0] * len(files)})
        core.submit(now(), maps=len(files), reduces=1, replicas=replicas, tag=len(jobs) - 1)

    tick = now() + TICK_MS
    while core.jobs() > 0:
        offer(core)
        until = min(tick, wake, core.next_opening())
        try:
            finish(core, *ended.get(timeout=max(0, until - now()) / 1000))
        except queue.Empty:
            core.wake(now())
        if now() >= tick:
            tick = now() + TICK_MS
            if core.wants_ticks() != kernel.PN_SCHEDULER_NO_TICKS:
                core.tick(now())


if __name__ == "__main__":
    run(sys.argv[1:] or ["."])
