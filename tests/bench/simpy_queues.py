#!/usr/bin/env python3
"""The peers of `make bench`: what SimPy takes for the same work, in ns.

    simpy_queues.py fcfs JOBS       a job of two stations in a row, one server each
    simpy_queues.py slots JOBS      a task of jobs that share a pool of slots, in order of arrival

Status 77: there is no SimPy (Debian: python3-simpy3).
"""
import random
import sys
import time

try:
    import simpy
except ImportError:
    sys.exit(77)


def fcfs(jobs):
    """Runs jobs through two stations at load .75, with log-normal sizes."""
    draw = random.Random(1)
    env = simpy.Environment()
    stations = simpy.Resource(env), simpy.Resource(env)

    def job(sizes):
        for station, size in zip(stations, sizes):
            with station.request() as turn:
                yield turn
                yield env.timeout(size)

    def arrive():
        for _ in range(jobs):
            yield env.timeout(draw.expovariate(0.75))
            size = draw.lognormvariate(-1.33, 1.63)
            env.process(job((size, size * draw.lognormvariate(-1.24, 1.57))))

    env.process(arrive())
    env.run()
    return jobs


def slots(jobs):
    """Runs jobs of 36 tasks on average on 1000 slots, two thirds of them busy."""
    draw = random.Random(1)
    env = simpy.Environment()
    pool = simpy.Resource(env, 1000)
    tasks = 0

    def task(size):
        with pool.request() as turn:
            yield turn
            yield env.timeout(size)

    for _ in range(jobs):
        count = draw.randint(1, 71)
        tasks += count
        env.run(until=env.now + draw.expovariate(1 / 3.24))
        size = draw.expovariate(1 / 60)
        for _ in range(count):
            env.process(task(size))
    env.run()
    return tasks


if __name__ == "__main__":
    work = {"fcfs": fcfs, "slots": slots}[sys.argv[1]]
    start = time.process_time()
    done = work(int(sys.argv[2]))
    print(round(1e9 * (time.process_time() - start) / done))
