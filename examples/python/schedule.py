"""The scheduler core from Python with real tasks: it says on which node a task starts, the host
starts a process there. Jobs count the words of files: a map counts one file's, the reduce adds up.
The nodes are imagined, with two map slots and a reduce slot each; files lie on one or the other.

    PINION_LIBRARY=build/libpinion.so python3 examples/python/schedule.py FOLDER...
"""
import ctypes
import os
import queue
import subprocess
import sys
import threading
import time

import pinion
from pinion import library, must

NODES = pinion.SchedulerNodes(count=2, map_slots=2, reduce_slots=1)
TICK_MS = 500
jobs = []       # by tag: the files, and what their maps counted
processes = {}  # by token: those of the attempts that run
ended = queue.Queue()  # (task, exit status, output)
origin = time.monotonic()
wake = pinion.NEVER  # when the core wants its slots offered again


def now():
    return int(1000 * (time.monotonic() - origin))


# ---- what the core decides -----------------------------------------------------------------------

@pinion.hook(pinion.SchedulerOnTask)
def launch(_, pointer):
    task = pinion.SchedulerTask.from_buffer_copy(pointer.contents)  # it outlives the call
    job = jobs[task.tag]
    if task.kind == pinion.MAP:
        command = ["wc", "-w", job["files"][task.task]]
    else:
        command = ["expr", "0"] + [word for n in job["counts"] for word in ("+", str(n))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    processes[task.token] = process

    def wait():  # in a thread: the loop hears of the end through the queue
        output, _ = process.communicate()
        ended.put((task, process.returncode, output))
    threading.Thread(target=wait, daemon=True).start()


@pinion.hook(pinion.SchedulerOnTask)
def kill(_, task):
    processes.pop(task.contents.token).kill()


@pinion.hook(pinion.SchedulerWakeAt)
def wake_at(_, at):
    global wake
    wake = min(wake, at)


@pinion.hook(pinion.SchedulerOnFinish)
def report(_, record):
    record, job = record.contents, jobs[record.contents.tag]
    if record.state == pinion.SCHEDULER_FINISHED:
        print("%s: %d files, %s words" % (job["name"], record.maps, job["total"]))
    else:
        print("%s: failed" % job["name"])


@pinion.hook(pinion.SchedulerReplicas)
def replicas(_, number, nodes, most):
    nodes[0] = number % 2
    return 1


# ---- what happens --------------------------------------------------------------------------------

def finish(core, hooks, task, status, output):
    """A process has ended; one that the core had killed is none of its business any more."""
    if processes.pop(task.token, None) is None:
        return
    if status != 0:
        must(library.pn_scheduler_failed(core, hooks, now(), task.token))
        return
    job = jobs[task.tag]
    if task.kind == pinion.MAP:
        job["counts"][task.task] = int(output.split()[0])
    else:
        job["total"] = int(output)
    must(library.pn_scheduler_finished(core, hooks, now(), task.token))


def offer(core, hooks):
    """Nodes offer their free slots, but only those that the core has a use for."""
    global wake
    wake = pinion.NEVER
    for kind in pinion.MAP, pinion.REDUCE:
        node = library.pn_scheduler_next_wanted(core, kind, 0)
        while node < NODES.count:
            must(library.pn_scheduler_offer(core, hooks, now(), node))
            node = library.pn_scheduler_next_wanted(core, kind, node + 1)


def run(folders):
    config = pinion.defaults(pinion.SchedulerConfig)
    config.nodes, config.nodes_count = ctypes.pointer(NODES), 1
    config.jobs_max = len(folders)
    config.tasks_max = 1000 * len(folders)
    config.reduce_start = pinion.SCHEDULER_AFTER_MAPS
    config.locality_delay_ms = 20
    config.policy = library.pn_scheduler_policy_find(b"fair")
    core, _block = pinion.start(config)
    table = pinion.SchedulerHooks(policy=config.policy, launch=launch, kill=kill, wake_at=wake_at,
                                  on_finish=report)
    hooks = ctypes.byref(table)
    for folder in folders:
        files = sorted(entry.path for entry in os.scandir(folder) if entry.is_file())
        job = pinion.SchedulerJob(maps=len(files), reduces=1, replicas=replicas, tag=len(jobs))
        jobs.append({"name": folder, "files": files, "counts": [0] * len(files)})
        must(library.pn_scheduler_submit(core, hooks, now(), ctypes.byref(job), None))

    tick = now() + TICK_MS
    while library.pn_scheduler_jobs(core) > 0:
        offer(core, hooks)
        until = min(tick, wake, library.pn_scheduler_next_opening(core))
        try:
            finish(core, hooks, *ended.get(timeout=max(0, until - now()) / 1000))
        except queue.Empty:
            must(library.pn_scheduler_wake(core, hooks, now()))
        if now() >= tick:
            tick = now() + TICK_MS
            if library.pn_scheduler_wants_ticks(core) != pinion.SCHEDULER_NO_TICKS:
                must(library.pn_scheduler_tick(core, hooks, now()))


if __name__ == "__main__":
    run(sys.argv[1:] or ["."])
