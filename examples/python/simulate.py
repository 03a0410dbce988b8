"""A simulation of the slotted model from Python: the three jobs of examples/c/host.c, under a
policy of the library and under one that is written here.

    PINION_LIBRARY=build/libpinion.so python3 examples/python/simulate.py
"""
import ctypes

import pinion
from pinion import library, must


@pinion.hook(pinion.SlottedOnFinish)
def report(_, finish):
    job = finish.contents  # for the length of the call
    print("job %d (tag %d): arrived in slot %d, finished in %d, flow time %d"
          % (job.id, job.tag, job.arrival, job.finish, job.flow_time))


def simulate(policy):
    """Runs the jobs under a policy, given by its address; returns the digest of its decisions."""
    config = pinion.defaults(pinion.SlottedConfig)
    config.machines = 3
    config.jobs_max = 64
    config.policy = policy  # memory for this one alone
    sim, _block = pinion.start(config)

    tasks = (ctypes.c_uint64 * 3)(4, 4, 2)
    for tag in range(7, 10):
        job = pinion.SlottedJob(arrival=tag - 6, maps=5, reduces=tasks, reduce_count=3, tag=tag)
        must(library.pn_slotted_submit(sim, ctypes.byref(job), None))
    hooks = pinion.SlottedHooks(policy=policy, on_finish=report)
    status = must(library.pn_slotted_run(sim, ctypes.byref(hooks), pinion.FOREVER))
    digest = library.pn_slotted_digest(sim)
    print("%s, digest %016x" % (library.pn_status_name(status).decode(), digest))
    return digest


# A policy is a table with functions, here one: the job with the smallest key is served first. The
# kernel asks again only when a job has run, which is the default of an order.
@pinion.hook(pinion.SlottedKey)
def by_remaining(view, job, key):
    key.contents.word[0] = library.pn_slotted_remaining(view, job)


shortest_first = pinion.SlottedPolicy(
    name=b"shortest_first", summary=b"least remaining work first", source=b"this file",
    preemptive=1, nonpreemptive=1, work_conserving=1, order_count=1)
shortest_first.orders[0].key = by_remaining
shortest_first.orders[0].members = pinion.SLOTTED_WITH_MAPS | pinion.SLOTTED_WITH_REDUCES

if __name__ == "__main__":
    simulate(library.pn_slotted_policy_find(b"asrpt"))
    print("shortest first, as the library's dspt does it:")
    own = simulate(ctypes.addressof(shortest_first))
    assert own == simulate(library.pn_slotted_policy_find(b"dspt"))
