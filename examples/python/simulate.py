"""A simulation of the slotted model from Python: the three jobs of examples/c/host.c, under a
policy of the library and under one that is written here.

    python3 examples/python/simulate.py
"""
from pinion import kernel


def report(_, finish):
    job = finish.contents  # for the length of the call
    print("job %d (tag %d): arrived in slot %d, finished in %d, flow time %d"
          % (job.id, job.tag, job.arrival, job.finish, job.flow_time))


def simulate(policy):
    """Runs the jobs under a policy; returns the digest of its decisions."""
    sim = kernel.Model("slotted", policy, machines=3, jobs_max=64, on_finish=report)
    for tag in range(7, 10):
        sim.submit(arrival=tag - 6, maps=5, reduces=[4, 4, 2], tag=tag)
    status = sim.finish()
    print("%s, digest %016x" % (kernel.library.pn_status_name(status).decode(), sim.digest()))
    return sim.digest()


# A policy is a table with functions, here one: the job with the smallest key is served first. The
# kernel asks again only when a job has run, which is the default of an order.
def by_remaining(view, job):
    return view.remaining(job)


shortest_first = kernel.policy(
    "slotted", "shortest_first", summary="least remaining work first", preemptive=1,
    nonpreemptive=1, work_conserving=1,
    orders=[{"key": by_remaining,
             "members": kernel.PN_SLOTTED_WITH_MAPS | kernel.PN_SLOTTED_WITH_REDUCES}])

if __name__ == "__main__":
    simulate("asrpt")
    print("shortest first, as the library's dspt does it:")
    own = simulate(shortest_first)
    assert own == simulate("dspt")
