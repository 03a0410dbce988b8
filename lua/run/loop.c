/* The loop of a run: a stream or a batch is executed piece by piece, with a look at the clock, at
 * Ctrl-C and at the log between two pieces, checkpoints on the way, and questions at their
 * times. */
#include "common.h"

#include "base/interrupt.h"

#define POLL_EVERY_FIRST 64
#define POLL_EVERY_MOST  65536

void run_loop_start(run_base *run)
{
    run->unpolled = 0;
    run->poll_every = POLL_EVERY_FIRST;
    run->polled = progress_clock();
}

void run_plan(run_base *run)
{
    run_place place;
    run->save_at = (double)INFINITY;
    if (!run_keeps_checkpoints(run))
        return;
    run->model->look(run, &place);
    run->save_at = (floor(place.at / run->every) + 1.0) * run->every;
}

/* Executes as model->execute; step by step where a timeline is recorded. */
static int execute(run_base *run, double until, uint64_t steps)
{
    int status;
    if (!run->timeline)
        return run->model->execute(run, until, steps);
    do {
        status = run->model->execute(run, until, 1);
        if (status >= 0)
            run->model->record(run, 0.0);
    } while (status == PN_PAUSED && --steps > 0);
    return status;
}

int run_poll(run_base *run)
{
    double now = progress_clock(), spent = now - run->polled;
    run_place place;
    run->model->look(run, &place);
    progress_show(&run->progress, place.done, place.total, place.unit, now);
    if (spent < 0.02 && run->poll_every < POLL_EVERY_MOST)
        run->poll_every *= 2;
    else if (spent > 0.1)
        run->poll_every = (run->poll_every + 1) / 2;
    run->polled = now;
    run->unpolled = 0;
    run->interrupted = interrupt_pending();
    if (run->interrupted || run->log.broken)
        return RUN_STOPPED;
    return run->model->idles && run->model->idles(run) ? RUN_IDLED : PN_OK;
}

/* Passes a checkpoint that is due before the next step, which is executed behind it: nothing is
 * saved twice, however far apart the steps are. As model->execute. */
static int pass_checkpoint(run_base *run, double until)
{
    int status;
    if (!run_save(run))
        return RUN_STOPPED;
    status = execute(run, until, 1);
    run_plan(run);
    return status;
}

/* Executes all steps up to a time. PN_OK, PN_DONE, RUN_STOPPED, RUN_IDLED or the kernel's error. */
static int advance(run_base *run, double until)
{
    for (;;) {
        int saves = run->save_at < until, stop;
        int status = execute(run, saves ? run->save_at : until, run->poll_every);
        if (saves && status == PN_OK)
            status = pass_checkpoint(run, until);
        else if (saves && status == PN_DONE)
            status = execute(run, until, run->poll_every);
        else if (status == PN_PAUSED && (stop = run_poll(run)) != PN_OK)
            return stop;
        if (status != PN_PAUSED)
            return status;
        if (run->model->over && run->model->over(run))
            return PN_DONE;
    }
}

/* Returns the time up to which the run goes before the next question; infinity when there is
 * none. */
static double next_question(const run_base *run)
{
    const run_questions *questions = &run->questions;
    return questions->asked < questions->count ? questions->times[questions->asked]
                                               : (double)INFINITY;
}

void run_ask(run_base *run, double time)
{
    while (next_question(run) <= time)
        run->questions.ask(run, run->questions.asked++);
}

int run_advance(run_base *run, double until)
{
    double (*next)(const run_base *, double) = run->model->next_time;
    double time, stop;
    while ((time = next_question(run)) < until || (time == until && time < INFINITY && !next)) {
        stop = next ? next(run, time) : time;
        int status = advance(run, stop < until ? stop : until);
        if (status < 0)
            return status;
        run_ask(run, time);
    }
    return advance(run, until);
}
