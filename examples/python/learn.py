"""An agent learns to schedule: a score of each stage that may run is linear in the logarithms of
its features, and the cross-entropy method searches for weights with which the jobs complete
early. Then the agent meets workloads that it has not seen, and policies of the program.

    python3 examples/python/learn.py [GENERATIONS]
"""
import math
import random
import statistics
import sys

import pinion
from pinion.learning import FEATURES, Environment

SPEC = "dag:mixed,jobs=8,gap_ms=1500"
NODES = [{"capacity": [8000, 16384], "count": 4}]
CANDIDATES, ELITE = 12, 3
TRAINING, FRESH = range(1, 3), range(101, 109)  # seeds


def mean_completion(environment, weights, seed):
    """Runs an episode; returns the mean completion time of its jobs, s."""
    observation, info = environment.reset(seed=seed)
    total, over = 0, False
    while not over:
        scores = [sum(weight * math.log1p(max(0, value)) for weight, value in zip(weights, row))
                  for row in observation[:len(info["stages"])]]
        observation, reward, terminated, truncated, info = environment.step(
            scores.index(max(scores)))
        total, over = total - reward, terminated or truncated
    return total / 1000 / len(environment.scenario["jobs"])


def learn(environment, generations):
    """Returns weights: each generation is drawn around the best of the one before."""
    draw = random.Random(1)
    centre, spread = [0.0] * len(FEATURES), [1.0] * len(FEATURES)
    for generation in range(generations):
        drawn = [[draw.gauss(mean, sd) for mean, sd in zip(centre, spread)]
                 for _ in range(CANDIDATES)]
        ranked = sorted((statistics.mean(mean_completion(environment, weights, seed)
                                         for seed in TRAINING), weights) for weights in drawn)
        best = [weights for _, weights in ranked[:ELITE]]
        centre = [statistics.mean(column) for column in zip(*best)]
        spread = [statistics.pstdev(column) + 0.05 for column in zip(*best)]
        print("generation %d: %.2f s" % (generation + 1, ranked[0][0]))
    return centre


def compare(environment, weights):
    """Prints the mean completion times on fresh workloads."""
    times = {"learned": [], "fifo": [], "fair": [], "srpt": []}
    for seed in FRESH:
        times["learned"].append(mean_completion(environment, weights, seed))
        for policy in "fifo", "fair", "srpt":
            run = pinion.simulate(environment.scenario, policy=policy, quiet=True)
            times[policy].append(run.mean_jct / 1000)
    for name, values in times.items():
        print("%-8s %.2f s" % (name, statistics.mean(values)))


if __name__ == "__main__":
    cluster = Environment(SPEC, choices=16, nodes=NODES)
    compare(cluster, learn(cluster, int((sys.argv[1:] or ["6"])[0])))
