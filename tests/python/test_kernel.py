"""The kernel in this process: every model and core, policies as functions, copies, errors."""
import ctypes
import json
import signal
import unittest

import pinion
from pinion import kernel

SLOTTED = [{"arrival": 1 + place % 7, "maps": 1 + 5 * place % 11, "reduces": [4, place + 1]}
           for place in sorted(range(20), key=lambda place: place % 7)]
DAG = [{"arrival": 40 * place, "stages": [
    {"demand": [2, 1], "tasks": 3 + place % 4, "duration": 50 + 13 * place % 90},
    {"demand": [1, 2], "tasks": 5, "duration": 30, "parents": [0]}]} for place in range(12)]
DAG_NODES = [{"capacity": [4, 4], "count": 2}]


TANDEM = [{"arrival": 0.5 * place, "map": 1.0 + place % 3, "shuffle": 2.0} for place in range(9)]
MAKESPAN = {"model": "makespan", "map_slots": 3, "reduce_slots": 2, "level": "task", "jobs": [
    {"maps": [3, 5, 4], "reduces": [7]}, {"maps": [2, 2], "reduces": [1, 6]},
    {"maps": [1], "reduces": [2]}]}
CLUSTER = {"model": "cluster", "params": {"heartbeat_ms": 3000},
           "nodes": [{"count": 3, "map_slots": 2, "reduce_slots": 1}],
           "jobs": [{"submit": submit, "maps": 9, "reduces": 2, "map_ms": 20000,
                     "reduce_ms": 30000} for submit in (0, 12000)]}


def slotted(policy, jobs=SLOTTED, **more):
    sim = kernel.Model("slotted", policy, machines=5, jobs_max=64, **more)
    for job in jobs:
        sim.submit(**job)
    return sim


def dag(policy, **more):
    sim = kernel.Model("dag", policy, nodes=DAG_NODES, resources=2, jobs_max=32, **more)
    for job in DAG:
        sim.submit(**job)
    return sim


def tandem(policy):
    sim = kernel.Model("tandem", policy, jobs_max=16)
    for job in TANDEM:
        sim.submit(**job)
    return sim


def tandem_policy(key):
    return kernel.policy(
        "tandem", "own", orders=[{"key": key, "members": kernel.PN_TANDEM_MAPPING},
                                 {"key": key, "members": kernel.PN_TANDEM_BACKLOG}],
        map={"way": kernel.PN_TANDEM_FIRST, "order": 0},
        shuffle={"way": kernel.PN_TANDEM_FIRST, "order": 1})


def makespan(policy, **more):
    sim = kernel.Model("makespan", policy, map_slots=3, reduce_slots=2, jobs_max=8,
                       level=kernel.PN_MAKESPAN_TASKS, **more)
    for job in MAKESPAN["jobs"]:
        sim.submit(stage=[{"stretches": [{"duration": time, "count": 1} for time in job[stage]]}
                          for stage in ("maps", "reduces")])
    return sim


def cluster(policy):
    sim = kernel.Model("cluster", policy, nodes=CLUSTER["nodes"], jobs_max=8, tasks_max=64,
                       heartbeat_ms=3000)
    for job in CLUSTER["jobs"]:
        sim.submit(**job)
    return sim


def program(policy, scenario, **more):
    return pinion.simulate(scenario, policy=policy, quiet=True, **more).digest


def finished(sim):
    assert sim.finish() == kernel.PN_DONE
    return "%016x" % sim.digest()


class Models(unittest.TestCase):
    def test_slotted_decides_as_in_the_program(self):
        scenario = {"model": "slotted", "machines": 5, "reduce": "preemptive", "jobs": SLOTTED}
        for policy in "fifo", "asrpt", "dspt":
            self.assertEqual(finished(slotted(policy)), program(policy, scenario))

    def test_tandem_decides_as_in_the_program(self):
        self.assertEqual(finished(tandem("maxsrpt")),
                         program("maxsrpt", {"model": "tandem", "jobs": TANDEM}))

    def test_makespan_decides_as_in_the_program(self):
        finishes = []
        sim = makespan("mk_jr", on_finish=lambda _, job: finishes.append(job.contents.id))
        self.assertEqual(finished(sim), program("mk_jr", MAKESPAN))
        self.assertEqual(sorted(finishes), [1, 2, 3])

    def test_cluster_decides_as_in_the_program(self):
        self.assertEqual(finished(cluster("fair")), program("fair", CLUSTER))

    def test_dag_decides_as_in_the_program(self):
        scenario = {"model": "dag", "resources": ["cpu", "memory"], "nodes": DAG_NODES, "jobs": DAG}
        for policy in "fifo", "srpt", "tetris":
            self.assertEqual(finished(dag(policy)), program(policy, scenario))

    def test_scheduler_launches_what_is_offered(self):
        launched = []
        core = kernel.Model("scheduler", "fifo", nodes=[{"count": 1, "map_slots": 1,
                                                         "reduce_slots": 1}],
                            jobs_max=2, tasks_max=8,
                            launch=lambda _, task: launched.append(task.contents.token))
        core.submit(0, maps=2, reduces=0)
        core.offer(0, 0)
        self.assertEqual(len(launched), 1)
        core.finished(5, launched[0])
        core.offer(5, 0)
        core.finished(9, launched[1])
        self.assertEqual(core.totals().finished, 1)

    def test_dispatch_launches_what_fits(self):
        launched = []
        core = kernel.Model("dispatch", "fifo", nodes=[{"capacity": [2], "count": 1}], jobs_max=2,
                            launch=lambda _, task: launched.append(task.contents.token))
        self.assertEqual(core.submit(0, stages=[{"demand": [1], "tasks": 3, "estimate": 4}]), 1)
        self.assertEqual(core.run(0, 1), kernel.PN_PAUSED)
        self.assertEqual(core.run(0, 1), kernel.PN_OK)
        self.assertEqual([row.id for row in core.ranking()], [1])
        self.assertEqual(len(launched), 2)
        core.finished(4, launched[0])
        self.assertEqual(core.run(4, 2**64 - 1), kernel.PN_OK)
        self.assertEqual(kernel.as_dict(core.levels())["tasks"], 2)

    def test_fill_structs(self):
        sims = slotted("fifo"), tandem("fcfs"), makespan("neh"), cluster("fair"), dag("fifo")
        for sim in sims:
            sim.finish()
            totals = kernel.as_dict(sim.totals())
            levels = sim.levels()[1] if sim.model == "slotted" else sim.levels()
            self.assertEqual(kernel.as_dict(levels)["jobs"], 0, sim.model)
            core = totals.get("scheduler", totals.get("dispatch", totals))
            self.assertGreater(core["finished"], 0, sim.model)
        self.assertEqual(sims[-1].queue(0).finished, len(DAG))
        core = kernel.Model("dispatch", "fifo", nodes=[{"capacity": [2], "count": 1}], jobs_max=2)
        core.submit(0, stages=[{"demand": [1], "tasks": 3, "estimate": 4}], tag=9)
        core.run(0, 2)
        self.assertEqual(core.task(1).task, 1)
        place = ctypes.c_uint32(kernel.PN_NO_JOB)
        self.assertEqual(core.next_record(place).tag, 9)
        with self.assertRaisesRegex(kernel.KernelError, "PN_ERR_ARGUMENT"):
            core.task(2)

    def test_cores_have_nothing_that_runs_by_itself(self):
        core = kernel.Model("dispatch", "fifo", nodes=[{"capacity": [2], "count": 1}], jobs_max=2)
        with self.assertRaisesRegex(TypeError, "nothing that runs"):
            core.finish()


class Policies(unittest.TestCase):
    def test_of_functions_decide_as_their_twins(self):
        own = kernel.policy("slotted", "own", preemptive=1, nonpreemptive=1, work_conserving=1,
                            orders=[{"key": lambda view, job: view.remaining(job), "members": 3}])
        self.assertEqual(finished(slotted(own)), finished(slotted("dspt")))
        shortest = kernel.policy("dag", "shortest", key=lambda view, job: view.left(job),
                                 order={"keys": kernel.PN_DISPATCH_KEYS_SERVED})
        self.assertEqual(finished(dag(shortest)), finished(dag("srpt")))

    def test_of_the_other_models_decide_as_theirs(self):
        def longest(view, job):
            return max(view.map_left(job), view.shuffle_left(job))

        def shortest_first(view):
            def size(job):
                return view.work(job, 0) / view.slots(0) + view.work(job, 1) / view.slots(1)
            count = view.job_count()
            return view.give_order((ctypes.c_uint32 * count)(*sorted(range(count), key=size)),
                                   count)

        self.assertEqual(finished(tandem(tandem_policy(longest))), finished(tandem("maxsrpt")))
        own = kernel.policy("cluster", "first", key=lambda view, job, kind: view.id(job))
        self.assertEqual(finished(cluster(own)), program("fifo", CLUSTER))
        self.assertNotEqual(finished(cluster(own)), program("fair", CLUSTER))
        own = kernel.policy("makespan", "spt", decide=shortest_first)
        self.assertEqual(finished(makespan(own)), program("makespan/spt.lua", MAKESPAN))

    def test_have_keys_of_two_numbers(self):
        last = kernel.policy("dag", "last", key=lambda view, job: (0, -view.id(job)))
        first = kernel.policy("dag", "first", key=lambda view, job: (0.5, float(view.id(job))))
        self.assertEqual(finished(dag(first)), finished(dag("fifo")))
        self.assertNotEqual(finished(dag(last)), finished(dag("fifo")))

    def test_have_keys_of_one_kind(self):
        mixed = kernel.policy("dag", "mixed", key=lambda view, job: [1, 1.0][view.id(job) % 2])
        with self.assertRaisesRegex(TypeError, "all integers or all floats"):
            dag(mixed).finish()
        wrong = kernel.policy("dag", "wrong", key=lambda view, job: "soon")
        with self.assertRaisesRegex(TypeError, "got 'soon'"):
            dag(wrong).finish()

    def test_whose_functions_fail_end_the_run_with_their_error(self):
        calls = []

        def fail(view, *rest):
            calls.append(rest)
            raise ZeroDivisionError("in a policy")

        order = {"key": fail, "members": 3}
        for sim in (dag(kernel.policy("dag", "broken", key=fail)),
                    slotted(kernel.policy("slotted", "broken", preemptive=1, orders=[order])),
                    tandem(tandem_policy(fail)),
                    cluster(kernel.policy("cluster", "broken", key=fail)),
                    makespan(kernel.policy("makespan", "broken", decide=fail))):
            calls.clear()
            with self.assertRaisesRegex(ZeroDivisionError, "in a policy"):
                sim.finish()
            self.assertEqual(len(calls), 1, sim.model)
        typo = kernel.policy("dag", "typo", key=lambda view, job: view.remaining_work(job))
        with self.assertRaisesRegex(AttributeError, "pn_dispatch_remaining_work"):
            dag(typo).finish()

    def test_have_parameters_by_name(self):
        given = {"alpha_permille": 500}
        scenario = {"model": "dag", "resources": ["cpu", "memory"], "nodes": DAG_NODES, "jobs": DAG}
        self.assertEqual(finished(dag("wfair", params=given)),
                         program("wfair", scenario, param=given))
        with self.assertRaisesRegex(TypeError, "no parameter 'alpha'"):
            dag("wfair", params={"alpha": 1})


class States(unittest.TestCase):
    def test_continue_in_a_copy(self):
        whole = finished(dag("srpt"))
        sim = dag("srpt")
        for _ in range(5):
            sim.step()
        fork, state = sim.copy(), bytes(sim)
        self.assertEqual(finished(sim), whole)
        self.assertNotEqual("%016x" % fork.digest(), whole)
        self.assertEqual(finished(fork), whole)
        later = dag("srpt")
        later.open(state)
        self.assertEqual(finished(later), whole)

    def test_that_are_none_are_refused(self):
        sim = dag("srpt")
        with self.assertRaisesRegex(kernel.KernelError, "PN_ERR_BLOCK"):
            sim.open(bytes(len(bytes(sim))))
        self.assertEqual(finished(sim), finished(dag("srpt")))


class Errors(unittest.TestCase):
    def test_of_calls_have_the_status(self):
        sim = dag("fifo")
        with self.assertRaises(kernel.KernelError) as caught:
            sim.submit(arrival=1, stages=DAG[0]["stages"])
        self.assertEqual(caught.exception.status, kernel.PN_ERR_ORDER)

    def test_of_configurations_name_the_field(self):
        with self.assertRaisesRegex(ValueError, "^machines: 1"):
            kernel.Model("slotted", "fifo", machines=0, jobs_max=1)
        with self.assertRaisesRegex(TypeError, "pn_slotted_config has no member 'machine'"):
            kernel.Model("slotted", "fifo", machine=3)
        with self.assertRaisesRegex(ValueError, "no policy 'fifi' in the slotted model"):
            kernel.Model("slotted", "fifi")
        with self.assertRaisesRegex(ValueError, "no model 'slots' .expected slotted"):
            kernel.Model("slots", "fifo")
        for name in "runs", "group":  # the second one is a policy's
            with self.assertRaisesRegex(AttributeError, "pn_slotted_" + name):
                getattr(slotted("fifo"), name)
        with self.assertRaises(ctypes.ArgumentError):
            kernel.library.pn_slotted_group(slotted("fifo"), 0)

    def test_ctrl_c_ends_a_run_of_a_policy_in_python(self):
        calls = []

        def key(view, job):
            calls.append(job)
            if len(calls) == 3:
                signal.raise_signal(signal.SIGINT)
            return view.id(job)
        with self.assertRaises(KeyboardInterrupt):
            slotted(kernel.policy("slotted", "own", preemptive=1, orders=[
                {"key": key, "members": 3}])).finish()
        self.assertLess(len(calls), 5)
        self.assertEqual(finished(slotted("fifo")), finished(slotted("fifo")))

    def test_in_hooks_are_raised_by_the_call(self):
        def fail(_, job):
            raise json.JSONDecodeError("no", "", 0)
        with self.assertRaises(json.JSONDecodeError):
            slotted("fifo", on_finish=fail).finish()
        self.assertEqual(finished(slotted("fifo")), finished(slotted("fifo")))


if __name__ == "__main__":
    unittest.main()
