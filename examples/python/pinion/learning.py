"""A decision loop for learners over the dag model, in the shape that Gymnasium has, without it.

The dispatch core decides what may run and accounts for it; this file is its host with a virtual
clock, which starts a chosen task and ends it when the dag model would (DG3, DG5, DG6, DG12 of
docs/models/dag.md). An action chooses the stage whose lowest pending task is launched next, on the
first node with capacity. A decision is due while such a stage exists, as in DG9.
"""
import heapq
import json
import math
import random

from . import kernel, program

# What an observation says of a stage that may be chosen, one row per stage.
FEATURES = ("waited_ms", "stage_tasks", "stage_pending", "stage_running", "estimate_ms",
            "path_ms", "dominant_ppb", "job_left_ppb_ms", "job_running", "job_stages_left",
            "job_weight", "job_priority")

RECOVER, FAIL, END, ARRIVE = range(4)  # the order of events at the same time (DG3)
PARAMS = {"seed": 1, "factor_lo": 1000, "factor_hi": 1000, "est_lo": 1000, "est_hi": 1000,
          "start_ms": 0, "max_time_ms": 0}
REFUSED = {"placement": "first", "executors": "none", "running_most": 0}  # all but these values


class Discrete:
    """The integers 0..n-1."""

    def __init__(self, n):
        self.n, self._random = n, random.Random()

    def seed(self, seed=None):
        self._random.seed(seed)

    def sample(self, mask=None):
        """Returns one of them at random, where the mask is 1."""
        return self._random.choice([one for one in range(self.n) if mask is None or mask[one]])

    def contains(self, action):
        return hasattr(action, "__index__") and 0 <= action < self.n


class Box:
    """Tables of this shape whose numbers lie in low..high."""

    def __init__(self, low, high, shape):
        self.low, self.high, self.shape = low, high, shape

    def contains(self, table):
        return len(table) == self.shape[0] and all(
            len(row) == self.shape[1] and all(self.low <= one <= self.high for one in row)
            for row in table)


def _up(product, by):
    return -(-product // by)


class Environment:
    """A cluster of the dag model in which an agent chooses what runs next.

    `workload` is a SPEC of the program (`pinion help workloads`), a scenario file, or a scenario as
    a dict; members of a scenario, such as nodes=, replace those it has. An observation has a row of
    FEATURES for each of the first `choices` stages that may be chosen, in order of their jobs, then
    of the longest path, so that action 0 is what the policy fifo does where no job has a priority;
    rows beyond are 0, and info["action_mask"] is 0 for them. The reward is minus the time since the
    last decision multiplied by the number of jobs, ms: its sum is minus the total completion time
    of the jobs."""

    def __init__(self, workload, choices=32, **members):
        self._workload, self._members = workload, members
        self.action_space = Discrete(choices)
        self.observation_space = Box(-math.inf, math.inf, (choices, len(FEATURES)))
        self._seed, self._replica, self.scenario, self._state = 1, -1, None, None
        if isinstance(workload, dict):
            self._seed = workload.get("seed", workload.get("params", {}).get("seed", 1))

    # ---- episodes ----

    def reset(self, seed=None, options=None):
        """Begins an episode: with a seed that of this seed, else the next replica of a generator;
        the jobs of a scenario are always the same. Returns the observation and info."""
        self._replica = 0 if seed is not None else self._replica + 1
        if seed is not None:
            self._seed = seed
        self.scenario = self._jobs()
        self._read(self.scenario)
        self._state = _World(self)
        self._proceed()
        return self._observation(), self._info()

    def step(self, action):
        """Launches a task of the chosen stage, and executes what happens until the next decision.
        Returns observation, reward, terminated, truncated and info."""
        world = self._state
        if world is None or not world.offered:
            raise ValueError("no decision is due, expected reset() first")
        if not 0 <= action < len(world.offered):
            raise ValueError("action %r: expected 0..%d, a stage that may be chosen"
                             % (action, len(world.offered) - 1))
        world.decide(world.offered[action])
        reward = self._proceed()
        over = not world.offered
        return (self._observation(), float(reward), over and not world.stopped,
                over and world.stopped, self._info())

    def _jobs(self):
        """Returns the scenario of this episode, as the program writes it, with its seed."""
        given, text = self._workload, None
        if isinstance(given, dict):
            given, text = "-", json.dumps(given)
        options = {} if given == "-" else {"seed": self._seed, "replica": self._replica}
        written = json.loads(program.call("workload", given, jobs=True, format="json", model="dag",
                                          stdin=text, **options))
        return {**written, "seed": self._seed, **self._members}

    def _read(self, scenario):
        """Reads the rules that this loop follows. Those of keys, kills and the order of stages have
        no meaning here."""
        given = scenario.get("params", {})
        for name, value in REFUSED.items():
            if given.get(name, value) != value:
                raise ValueError("params.%s is %r: expected %r in a loop for learners"
                                 % (name, given[name], value))
        self._params = {name: given.get(name, value) for name, value in PARAMS.items()}
        self._params["seed"] = scenario["seed"]

    def close(self):
        """Does nothing: an episode holds memory only."""

    # ---- states ----

    def save(self):
        """Returns the state of the episode, as plain data that pickle can store."""
        return self._seed, self._replica, self.scenario, self._state.save()

    def restore(self, state):
        """Continues from a saved state, of this environment or of one like it. Returns the
        observation and info."""
        self._seed, self._replica, self.scenario, world = state
        self._read(self.scenario)
        self._state = _World(self)
        self._state.restore(world)
        return self._observation(), self._info()

    def digest(self):
        """Returns the digest of all decisions, as the program prints it."""
        return "%016x" % self._state.core.digest()

    def totals(self):
        """Returns the core's counters (pn_dispatch_totals), as a dict."""
        return kernel.as_dict(self._state.core.totals())

    # ---- between decisions ----

    def _proceed(self):
        """Executes instants until a stage may be chosen or nothing can happen; returns the
        reward."""
        reward, world = 0, self._state
        while not world.offered and world.events and world.has_jobs():
            time = world.events[0][0]
            if 0 < self._params["max_time_ms"] <= time:
                world.stopped = True
                break
            reward -= world.core.jobs() * (time - world.now)
            world.advance(time)
            world.decide(None)
        return reward

    def _observation(self):
        rows = [row for _, row in self._state.rows]
        empty = (0.0,) * len(FEATURES)
        return tuple(rows) + (empty,) * (self.action_space.n - len(rows))

    def _info(self):
        world = self._state
        return {"time": world.now, "jobs": world.core.jobs(), "stages": [name for name, _ in
                                                                          world.rows],
                "action_mask": [1] * len(world.rows) +
                               [0] * (self.action_space.n - len(world.rows))}


class _World:
    """The host of a dispatch core with a virtual clock."""

    def __init__(self, environment):
        scenario, self.params = environment.scenario, environment._params
        self.jobs, self.most = scenario["jobs"], environment.action_space.n
        names = [one["name"] for one in scenario.get("queues", [])]
        self.queues = {name: place for place, name in enumerate(
            names or dict.fromkeys(job.get("queue", "default") for job in self.jobs))}
        self.nodes = [group.get("speed", 1000) for group in scenario["nodes"]
                      for _ in range(group.get("count", 1))]
        self.now, self.arrived, self.stopped = 0, 0, False
        self.chosen, self.offered, self.rows = None, [], []
        # Jobs in the system: their places in the core's table by id, and, with what does not change
        # of them, their stages with pending tasks; `changed` are those that have to be read anew.
        self.places, self.waiting, self.changed = {}, {}, set()
        self.events = [(job["arrival"], ARRIVE, place, 0, 0, 0)
                       for place, job in enumerate(self.jobs)]
        for failure in scenario.get("failures", []):
            self.events.append((failure["time"], FAIL, failure["node"], 0, 0, 0))
            if failure.get("recover") is not None:
                self.events.append((failure["recover"], RECOVER, failure["node"], 0, 0, 0))
        heapq.heapify(self.events)
        stages = [stage for job in self.jobs for stage in job["stages"]]
        agent = kernel.policy("dispatch", "learner", preempt=self._preempt, arrive=self._enter,
                              leave=self._leave, order={"preempts": 1})
        self.core = kernel.Model(
            "dispatch", agent, launch=self._launch, resources=len(scenario["resources"]),
            nodes=[{"capacity": group["capacity"], "count": group.get("count", 1),
                    "speed": group.get("speed", 1000)} for group in scenario["nodes"]],
            queues=[{}] * len(self.queues), jobs_max=max(1, len(self.jobs)),
            stages_max=max(1, len(stages)),
            edges_max=max(1, sum(len(stage.get("parents", ())) for stage in stages)),
            attempts_max=max(1, sum(self._tasks(stage) for stage in stages)))

    def has_jobs(self):
        """Returns whether any job is in the system or will arrive (DG4)."""
        return self.arrived < len(self.jobs) or self.core.jobs() > 0

    def save(self):
        return (bytes(self.core), self.now, self.arrived, self.stopped, list(self.offered),
                list(self.rows), list(self.events), dict(self.places))

    def restore(self, state):
        block, self.now, self.arrived, self.stopped, offered, rows, events, places = state
        self.core.open(block)
        self.offered, self.rows, self.events = list(offered), list(rows), list(events)
        self.places, self.changed = dict(places), set(places)

    # ---- events ----

    def advance(self, time):
        """Reports all events of the next instant."""
        self.now = time
        while self.events and self.events[0][0] == time:
            _, kind, first, _, _, token = heapq.heappop(self.events)
            if kind == RECOVER:
                self.core.node_up(time, first)
            elif kind == FAIL:
                self.core.node_down(time, first)
                self.changed.update(self.places)
            elif kind == END:
                self._end(first + 1, token)
            else:
                self._arrive(first)

    def _end(self, job, token):
        self.changed.add(job)
        try:
            self.core.finished(self.now, token)
        except kernel.KernelError as error:
            if error.status != kernel.PN_ERR_STALE:  # it was lost with its node
                raise

    def _arrive(self, place):
        job = self.jobs[place]
        self.arrived += 1
        parents = [parent for stage in job["stages"] for parent in stage.get("parents", ())]
        stages, first = [], 0
        for index, stage in enumerate(job["stages"]):
            count = len(stage.get("parents", ()))
            stages.append({"demand": stage["demand"], "tasks": self._tasks(stage),
                           "estimate": self._estimate(place, index, stage),
                           "first_parent": first, "parent_count": count})
            first += count
        self.core.submit(self.now, stages=stages, parents=parents, tag=place,
                         queue=self.queues[job.get("queue", "default")],
                         weight=job.get("weight", 1), deadline=job.get("deadline") or 0,
                         priority=job.get("priority", 0))

    @staticmethod
    def _tasks(stage):
        return len(stage["durations"]) if "durations" in stage else stage["tasks"]

    def _start_ms(self, stage):
        return stage.get("start_ms", self.params["start_ms"])

    def _estimate(self, place, index, stage):
        """Returns what the core takes a task to last (DG6)."""
        base = stage.get("estimate")
        if base is None:
            base = max(1, _up(sum(stage["durations"]), len(stage["durations"]))
                       if "durations" in stage else stage["duration"])
        error = kernel.library.pn_dag_misjudgement(
            self.params["seed"], self.params["est_lo"], self.params["est_hi"], place, index)
        return self._start_ms(stage) + max(1, _up(base * error, 1000))

    def _launch(self, _, pointer):
        """Starts an attempt: it ends as DG5 says."""
        task = pointer.contents
        stage = self.jobs[task.tag]["stages"][task.stage]
        duration = stage["durations"][task.task] if "durations" in stage else stage["duration"]
        factor = kernel.library.pn_dag_factor(
            self.params["seed"], self.params["factor_lo"], self.params["factor_hi"],
            task.tag, task.stage, task.task)
        end = self.now + self._start_ms(stage) + max(
            1, _up(duration * factor, self.nodes[task.node]))
        heapq.heappush(self.events, (end, END, task.tag, task.stage, task.task, task.token))

    # ---- decisions ----

    def decide(self, chosen):
        """Launches a task of the chosen stage, if any, and finds what may be chosen next."""
        self.chosen = chosen
        self.core.tick(self.now)

    def _enter(self, view, job):
        self.places[view.id(job)] = job
        self.changed.add(view.id(job))

    def _leave(self, view, job):
        del self.places[view.id(job)]
        self.waiting.pop(view.id(job), None)

    def _preempt(self, view):
        if self.chosen is not None:
            kernel.must(view.launch(self.chosen, view.room(self.chosen)))
            if view.pending(self.chosen) == 0:
                self.changed.add(view.id(view.stage_job(self.chosen)))
        for number in self.changed & self.places.keys():
            self.waiting[number] = self._stages(view, self.places[number])
        self.changed.clear()
        self.offered, self.rows = [], []
        for number, job in self.places.items():
            if len(self.offered) == self.most:
                break
            self._offer(view, number, job)

    @staticmethod
    def _stages(view, job):
        """Returns the job's ready stages with pending tasks, the longest path first, and what does
        not change of them."""
        found, stage = [], view.next_stage(job, kernel.PN_DISPATCH_NO_STAGE)
        while stage != kernel.PN_DISPATCH_NO_STAGE:
            if view.is_ready(stage) and view.pending(stage) > 0:
                found.append((-view.depth(stage), view.stage_index(stage), stage, view.tasks(stage),
                              view.estimate(stage), view.dominant(stage)))
            stage = view.next_stage(job, stage)
        return sorted(found)

    def _offer(self, view, number, job):
        """Adds the job's stages for whose tasks a node has room."""
        nodes = len(self.nodes)
        found = [one for one in self.waiting[number] if view.room(one[2]) < nodes]
        if not found:
            return
        waited, left = self.now - view.arrival_of(job), view.left(job)
        running, stages_left = view.running(job), view.stages_left(job)
        weight, priority = view.weight_of(job), view.priority_of(job)
        for depth, index, stage, tasks, estimate, dominant in found[:self.most - len(self.offered)]:
            self.offered.append(stage)
            self.rows.append(((number, index), tuple(map(float, (
                waited, tasks, view.pending(stage), view.stage_running(stage), estimate, -depth,
                dominant, left, running, stages_left, weight, priority)))))
