#!/usr/bin/env python3
"""Completion times that decima-sim gives: what DG35 and DG36 are compared with, decima_sim.tsv.

    python3 tests/dag/executors/decima_sim.py CHECKOUT PROFILES > tests/dag/executors/decima_sim.tsv

CHECKOUT is a checkout of github.com/hongzimao/decima-sim (made with c010dd7), PROFILES the measured
tasks of its TPC-H queries as JSON ({"jobs": [{"name", "stages": [{"parents", "durations"}]}]}). Its
environment and its two agents run as they are, without numpy and networkx, whose few functions
stand in below, but for this:

* A task takes as long as the profile says of it, whatever runs beside it, and an executor warms up
  once in a job.
* With delays, the fallback of the environment (backup_schedule) moves an executor within its own
  job at once; as published such a move costs the delay of one between jobs.

What decima-sim leaves to the order of its lists is tried in other orders: the numbers of stages,
and which of the idle executors of a job goes first. The columns `least` and `most` are over these
and the published order, whose result is `completion`.
"""

import json
import math
import random
import sys
import types

EXECUTORS = 50
ORDERS = {"single": 40, "batch": 8}
DELAYS = {"0": (0, 0), "2000+1000": (2000, 1000)}


# ---- stand-ins for numpy and networkx ------------------------------------------------------------

class Matrix:
    def __init__(self, count):
        self.rows = [[0] * count for _ in range(count)]
        self.shape = (count, count)

    def __getitem__(self, at):
        return self.rows[at[0]][at[1]]

    def __setitem__(self, at, value):
        self.rows[at[0]][at[1]] = value


class Stream:
    def seed(self, seed):
        pass


class Graph:
    def add_nodes_from(self, nodes):
        pass

    def add_edge(self, a, b):
        pass


def stand_in():
    numpy = types.ModuleType("numpy")
    numpy.inf, numpy.nan, numpy.isnan, numpy.ceil = math.inf, math.nan, math.isnan, math.ceil
    numpy.random = types.ModuleType("numpy.random")
    numpy.random.RandomState = Stream
    networkx = types.ModuleType("networkx")
    networkx.DiGraph = Graph
    networkx.is_directed_acyclic_graph = lambda graph: True
    for module in (numpy, numpy.random, networkx):
        sys.modules[module.__name__] = module


# ---- decima-sim ----------------------------------------------------------------------------------

class Simulator:
    def __init__(self, checkout):
        stand_in()
        sys.path.insert(0, checkout)
        sys.argv = sys.argv[:1]
        import heuristic_agent
        import param
        import spark_agent
        import spark_env.env as env
        from spark_env.job_dag import JobDAG
        from spark_env.node import Node
        from spark_env.task import Task
        from utils import OrderedSet
        self.args, self.env = param.args, env
        self.job, self.node, self.task, self.set = JobDAG, Node, Task, OrderedSet
        self.agents = {"fifo": lambda: spark_agent.SparkAgent(exec_cap=EXECUTORS),
                       "partition": heuristic_agent.DynamicPartitionAgent}
        self.shuffle, self.args.exec_cap = None, EXECUTORS
        self.schedule_all = env.Environment.schedule
        Node.schedule = lambda node, executor: self.schedule(node, executor)
        env.Environment.schedule = lambda world: self.schedule_executors(world)
        env.Environment.backup_schedule = lambda world, executor: self.fall_back(world, executor)

    def schedule(self, node, executor):
        task = node.tasks[node.next_task_idx]
        fresh = getattr(executor, "warm_in", None) is not node.job_dag
        executor.warm_in = node.job_dag
        executor.detach_node()
        task.schedule(node.wall_time.curr_time,
                      node.durations[node.next_task_idx] + fresh * self.args.warmup_delay, executor)
        node.executors.add(executor)
        executor.node = node
        node.next_task_idx += 1
        node.no_more_tasks = node.next_task_idx >= node.num_tasks
        if node.no_more_tasks and node in node.job_dag.frontier_nodes:
            node.job_dag.frontier_nodes.remove(node)
        return task

    def schedule_executors(self, world):
        if self.shuffle:
            executors = list(world.exec_to_schedule)
            self.shuffle.shuffle(executors)
            world.exec_to_schedule = self.set(executors)
        self.schedule_all(world)

    def fall_back(self, world, executor):
        job = executor.job_dag
        for node in job.frontier_nodes if job is not None else ():
            if not world.saturated(node):
                task = node.schedule(executor)
                world.timeline.push(task.finish_time, task)
                return
        for node in world.get_frontier_nodes():
            delay = 0 if node.job_dag is job else self.args.moving_delay
            world.timeline.push(world.wall_time.curr_time + delay, executor)
            world.moving_executors.add(executor, node)
            return
        world.free_executors.add(job, executor)

    def make(self, job, wall_time, stream):
        count = len(job["stages"])
        parents = Matrix(count)
        nodes = []
        for index, stage in enumerate(job["stages"]):
            tasks = [self.task(i, ms, wall_time) for i, ms in enumerate(stage["durations"])]
            node = self.node(index, tasks, None, wall_time, stream)
            node.durations = stage["durations"]
            nodes.append(node)
            for parent in stage["parents"]:
                parents[parent, index] = 1
        for a in range(count):
            for b in range(count):
                if parents[a, b]:
                    nodes[a].child_nodes.append(nodes[b])
                    nodes[b].parent_nodes.append(nodes[a])
        made = self.job(nodes, parents, job["name"])
        made.start_time, made.arrived = 0, True
        return made

    def run(self, jobs, agent, delays, shuffle=None):
        made = self.set()

        def generate(stream, timeline, wall_time):
            for job in jobs:
                made.add(self.make(job, wall_time, stream))
            return self.set(made)

        self.args.moving_delay, self.args.warmup_delay = delays
        self.shuffle = shuffle
        self.env.generate_jobs = generate
        world, chooser, done = self.env.Environment(), self.agents[agent](), False
        world.seed(1)
        world.reset()
        seen = world.observe()
        while not done:
            node, count = chooser.get_action(seen)
            seen, _, done = world.step(node, count)
        return sum(job.completion_time for job in made) / len(made)


# ---- cases ---------------------------------------------------------------------------------------

def renumbered(job, stream):
    """The job with its stages in another order."""
    order = list(range(len(job["stages"])))
    stream.shuffle(order)
    stages = [None] * len(order)
    for index, stage in enumerate(job["stages"]):
        stages[order[index]] = {"parents": [order[p] for p in stage["parents"]],
                                "durations": stage["durations"]}
    return {"name": job["name"], "stages": stages}


def row(simulator, kind, name, jobs, agent, delays):
    stream = random.Random(name)
    published = simulator.run(jobs, agent, DELAYS[delays])
    others = [published]
    for _ in range(ORDERS[kind]):
        reordered = [renumbered(job, stream) for job in jobs]
        others.append(simulator.run(reordered, agent, DELAYS[delays], stream))
    print("\t".join([kind, name, agent, delays] + ["%.2f" % value for value in
                    (published, min(others), max(others))]), flush=True)


def main():
    checkout, profiles = sys.argv[1:3]
    jobs = json.load(open(profiles))["jobs"]
    simulator = Simulator(checkout)
    print("kind\tname\tpolicy\tdelays\tcompletion\tleast\tmost")
    for delays in DELAYS:
        for job in jobs:
            row(simulator, "single", job["name"], [job], "fifo", delays)
        for agent in simulator.agents:
            for batch in range(8):
                # 20 of the queries, all different, which the test draws in the same way
                drawn = [jobs[(37 * batch + 53 * i) % len(jobs)] for i in range(20)]
                row(simulator, "batch", str(batch), drawn, agent, delays)


if __name__ == "__main__":
    main()
