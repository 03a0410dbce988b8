"""The loop for learners: episodes repeat, agents that copy a policy decide as it does."""
import pickle
import random
import unittest

import pinion
from pinion import kernel, learning

SPEC = "dag:mixed,jobs=12,gap_ms=2000"
SCENARIO = {
    "model": "dag", "seed": 7, "resources": ["cpu", "memory"],
    "nodes": [{"capacity": [4, 10], "count": 2}, {"capacity": [8, 10], "speed": 500}],
    "queues": [{"name": "prod", "weight": 3, "guaranteed": 700}, {"name": "dev"}],
    "params": {"factor_lo": 500, "factor_hi": 1500, "start_ms": 10, "est_lo": 900, "est_hi": 1100},
    "jobs": [{"arrival": 4 * place, "queue": ["prod", "dev"][place % 2], "stages": [
        {"demand": [2, 1], "durations": [5, 60, 7 + place]},
        {"demand": [1, 1], "tasks": 5, "duration": 9, "parents": [0], "start_ms": 3},
        {"demand": [1, 2], "tasks": 2, "duration": 50, "estimate": 20}]} for place in range(8)],
    "failures": [{"time": 30, "node": 1, "recover": 60}, {"time": 90, "node": 0, "recover": 95},
                 {"time": 10**6, "node": 0, "recover": 10**7}]}  # the last one after all jobs


def cluster_of(seed):
    """Returns members of a scenario that a seed draws: nodes, rules and failures."""
    draw = random.Random(seed)
    nodes = [{"capacity": [draw.randint(2000, 16000), draw.randint(4096, 32768)],
              "count": draw.randint(1, 3), "speed": draw.choice([300, 1000, 2500])}
             for _ in range(draw.randint(1, 3))]
    times = [draw.randint(1, 50000) for _ in range(draw.randint(0, 4))]
    return {
        "nodes": nodes,
        "params": {"factor_lo": draw.choice([300, 1000]), "factor_hi": draw.choice([1000, 3000]),
                   "est_lo": draw.choice([500, 1000]), "est_hi": draw.choice([1000, 2000]),
                   "start_ms": draw.choice([0, 500]), "max_time_ms": draw.choice([0, 60000])},
        "failures": [{"time": time, "recover": time + draw.randint(1, 30000),
                      "node": draw.randrange(sum(group["count"] for group in nodes))}
                     for time in times]}


def first(observation, info):
    return 0


def least(column):
    """Returns an agent that chooses the job with the least value when it was first offered, or of
    now, of this column."""
    def choose(observation, info):
        rows = observation[:len(info["stages"])]
        return min(range(len(rows)), key=lambda place: rows[place][column])
    return choose


def shortest_job():
    """Returns the agent sjf-cp: what is left of a job when it is first offered is all its work."""
    work, left = {}, learning.FEATURES.index("job_left_ppb_ms")

    def choose(observation, info):
        for (job, _), row in zip(info["stages"], observation):
            work.setdefault(job, row[left])
        return min(range(len(info["stages"])), key=lambda place: work[info["stages"][place][0]])
    return choose


def episode(environment, agent, **reset):
    """Returns all that an agent sees and gets."""
    observation, info = environment.reset(**reset)
    seen, over = [(observation, info)], not info["stages"]
    while not over:
        assert environment.observation_space.contains(observation)
        observation, reward, terminated, truncated, info = environment.step(
            agent(observation, info))
        seen.append((observation, reward, terminated, truncated, info))
        over = terminated or truncated
    return seen


class Episodes(unittest.TestCase):
    def test_of_a_random_agent_with_a_seed_repeat(self):
        def random_episode(seed):
            environment = learning.Environment(SPEC)
            environment.action_space.seed(seed)
            return episode(environment, lambda observation, info: environment.action_space.sample(
                info["action_mask"]), seed=5)
        self.assertEqual(random_episode(1), random_episode(1))
        self.assertNotEqual(random_episode(1), random_episode(2))

    def test_of_agents_that_copy_a_policy_are_those_of_the_program(self):
        left = learning.FEATURES.index("job_left_ppb_ms")
        for work in SPEC, SCENARIO:
            for policy, agent in (("fifo", first), ("sjf-cp", shortest_job()),
                                  ("srpt", least(left))):
                environment = learning.Environment(work, choices=200)
                seen = episode(environment, agent)
                expected = pinion.simulate(environment.scenario, policy=policy, quiet=True)
                self.assertEqual(environment.digest(), expected.digest, policy)
                self.assertEqual(sum(step[1] for step in seen[1:]), -expected.total_jct)
                self.assertTrue(seen[-1][2])
                self.assertFalse(seen[-1][3])
                self.assertEqual(environment.totals()["launches"], len(seen) - 1)

    def test_on_random_clusters_are_those_of_the_program(self):
        for seed in range(8):
            environment = learning.Environment("dag:mixed,jobs=%d,gap_ms=2000" % (1 + 2 * seed),
                                               choices=200, **cluster_of(seed))
            episode(environment, first, seed=seed)
            expected = pinion.simulate(environment.scenario, policy="fifo", quiet=True)
            self.assertEqual(environment.digest(), expected.digest, "seed %d" % seed)

    def test_without_a_seed_are_the_next_replicas(self):
        environment = learning.Environment(SPEC)
        jobs = []
        for seed in 5, None, 5:
            environment.reset(seed=seed)
            jobs.append(environment.scenario["jobs"])
        self.assertEqual(jobs[0], jobs[2])
        self.assertNotEqual(jobs[0], jobs[1])

    def test_end_at_the_time_limit(self):
        environment = learning.Environment({**SCENARIO, "params": {"max_time_ms": 100}})
        seen = episode(environment, first)
        self.assertEqual(seen[-1][2:4], (False, True))
        expected = pinion.simulate(environment.scenario, policy="fifo", quiet=True)
        self.assertEqual(environment.digest(), expected.digest)

    def test_members_of_the_scenario_may_be_replaced(self):
        environment = learning.Environment(SPEC, nodes=[{"capacity": [4000, 8192], "count": 3}])
        episode(environment, first)
        self.assertEqual(environment.digest(), pinion.simulate(
            environment.scenario, policy="fifo", quiet=True).digest)


class States(unittest.TestCase):
    def test_are_saved_and_restored(self):
        environment = learning.Environment(SCENARIO)
        whole = episode(environment, first)
        observation, info = environment.reset()
        for _ in range(20):
            observation, _, _, _, info = environment.step(0)
        state = pickle.loads(pickle.dumps(environment.save()))
        environment.step(len(info["stages"]) - 1)
        other = learning.Environment(SCENARIO)
        self.assertEqual(other.restore(state), (observation, info))
        rest = [other.step(0) for _ in range(len(whole) - 21)]
        self.assertEqual(rest, whole[21:])


class Errors(unittest.TestCase):
    def test_of_actions_name_the_range(self):
        environment = learning.Environment(SCENARIO)
        _, info = environment.reset()
        for action in -1, len(info["stages"]):
            with self.assertRaisesRegex(ValueError, "expected 0..%d" % (len(info["stages"]) - 1)):
                environment.step(action)

    def test_of_steps_that_are_not_due(self):
        environment = learning.Environment(SCENARIO)
        with self.assertRaisesRegex(ValueError, "expected reset"):
            environment.step(0)
        episode(environment, first)
        with self.assertRaisesRegex(ValueError, "expected reset"):
            environment.step(0)

    def test_of_scenarios_are_those_of_the_program(self):
        with self.assertRaisesRegex(pinion.Error, "unknown workload"):
            learning.Environment("dog").reset()
        with self.assertRaisesRegex(ValueError, "params.executors"):
            learning.Environment({**SCENARIO, "params": {"executors": "free"}}).reset()


class Spaces(unittest.TestCase):
    def test_are_those_of_gymnasium_in_form(self):
        environment = learning.Environment(SCENARIO, choices=5)
        observation, info = environment.reset()
        self.assertEqual(environment.action_space.n, 5)
        self.assertEqual(environment.observation_space.shape, (5, len(learning.FEATURES)))
        self.assertTrue(environment.action_space.contains(4))
        self.assertFalse(environment.action_space.contains(5))
        self.assertFalse(environment.observation_space.contains(observation[:4]))
        self.assertEqual(len(info["action_mask"]), 5)
        self.assertEqual(kernel.PN_DISPATCH_NEVER, 2**64 - 1)


if __name__ == "__main__":
    unittest.main()
