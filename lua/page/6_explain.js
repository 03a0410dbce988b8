// Why a job took the time that it took: its phases, as the log has them, and who held meanwhile
// what it waited for.
'use strict';

(function () {
    const NAMED_MOST = 5;

    function overlap(wait, start, finish) {
        return Math.max(0, Math.min(finish, wait.finish) - Math.max(start, wait.start));
    }

    // What each other job held in a wait: rows, or machines, times time.
    function heldIn(run, wait, job) {
        const bars = run.bars;
        const by = new Map();
        let sum = 0;
        for (let i = 0; i < bars.job.length; i++) {
            const other = bars.job[i];
            if (other === job || run.pool && run.pool[other] !== run.pool[job]) continue;
            if (!run.competing[wait.waits][bars.panel[i]]) continue;
            const held = overlap(wait, bars.start[i], bars.finish[i])
                * (bars.amount ? bars.amount[i] : 1);
            if (held > 0) {
                by.set(other, (by.get(other) || 0) + held);
                sum += held;
            }
        }
        return { by: by, sum: sum };
    }

    // What there is of a kind for the job, where that is known: slots or machines.
    function capacityFor(run, panel, job) {
        if (!run.pool) return run.panels[panel].capacity;
        const band = run.panels[panel].bands[run.pool[job]];
        return band.last - band.first + 1;
    }

    function explainWait(run, wait, job) {
        const held = heldIn(run, wait, job);
        const capacity = capacityFor(run, wait.waits, job);
        const whole = capacity ? capacity * (wait.finish - wait.start) : held.sum;
        const shares = Array.from(held.by,
            ([other, part]) => ({ job: other, share: part / whole }));
        shares.sort((a, b) => b.share - a.share || a.job - b.job);
        wait.held = shares.slice(0, NAMED_MOST);
        wait.others = Math.max(0, shares.length - NAMED_MOST);
        wait.down = downIn(run, wait, capacity);
        wait.nobody = capacity ? 1 - held.sum / whole - wait.down : null;
    }

    // Which part of what there is was of nodes that were down: of slots, or else of nodes.
    function downIn(run, wait, capacity) {
        const there = (capacity || run.panels[wait.waits].bands.length)
            * (wait.finish - wait.start);
        let sum = 0;
        for (const [panel, first, last, start, finish] of run.downs) {
            if (panel !== wait.waits) continue;
            sum += (capacity ? last - first + 1 : 1)
                * overlap(wait, start, finish === null ? Infinity : finish);
        }
        return there > 0 ? sum / there : 0;
    }

    // The phases of a job by its place among the jobs, end to end.
    page.phasesOf = function (run, job) {
        const phases = [];
        for (let i = run.phases.begins[job]; i < run.phases.begins[job + 1]; i++) {
            const word = run.phases.word[i];
            const phase = { name: run.words[word].name, waits: run.words[word].waits,
                start: run.phases.start[i], finish: run.phases.finish[i] };
            if (phase.waits !== null) explainWait(run, phase, job);
            phases.push(phase);
        }
        return phases;
    };

    // ---- as text ------------------------------------------------------------------------------

    // Times that the model has as integers are exact, in units that are powers of ten of its own.
    page.timeText = function (run, time) {
        return Number.isInteger(time) && Number.isInteger(Math.log10(run.unit))
            ? String(time / run.unit) : page.number(time / run.unit);
    };

    // Where times are slots, the last one of a stretch.
    page.endText = function (run, time) { return page.timeText(run, run.slots ? time - 1 : time); };

    const percent = (share) => page.number(Number((100 * share).toFixed(1))) + ' %';

    page.jobName = function (run, job) {
        const name = run.names ? run.names[job] : '';
        return 'job ' + run.jobs.id[job] + (name ? ' “' + name + '”' : '');
    };

    function holdersText(run, phase) {
        const parts = phase.held.map((held) =>
            page.jobName(run, held.job) + ' ' + percent(held.share));
        if (phase.others > 0) parts.push(phase.others + ' more');
        for (const [name, share] of [['free', phase.nobody], ['down', phase.down]]) {
            if (share !== null && share > 0.0005) parts.push(name + ' ' + percent(share));
        }
        return parts.join(', ');
    }

    function phaseRow(run, phase) {
        const cells = [phase.name, page.timeText(run, phase.start),
            page.endText(run, phase.finish),
            page.timeText(run, phase.finish - phase.start),
            phase.waits === null ? '' : holdersText(run, phase)];
        return page.element('tr', {}, cells.map((text, c) =>
            page.element('td', { class: c === 0 || c === 4 ? 'left' : '' }, text)));
    }

    page.explanation = function (run, job) {
        const phases = page.phasesOf(run, job);
        const state = run.states[run.jobs.state[job]];
        const finish = run.jobs.finish[job];
        const at = run.slots ? ' in slot ' : ' at ';
        const head = page.jobName(run, job)
            + (run.groups ? ', group ' + run.groups[run.jobs.group[job]] : '') + ': arrived' + at
            + page.timeText(run, run.jobs.arrival[job]) + ', ' + state
            + (isNaN(finish) ? '' : at + page.endText(run, finish) + ', after '
                + page.timeText(run, finish - run.jobs.arrival[job]) + run.suffix);
        const unit = run.slots ? ' slot' : '';
        const inUnit = run.suffix && !run.slots ? ' (' + run.suffix.trim() + ')' : '';
        const titles = ['phase', 'from' + (unit || inUnit), 'to' + (unit || inUnit),
            'time' + inUnit, 'held by'];
        return page.element('div', {}, [page.element('p', {}, head),
            page.element('div', { class: 'scroll' }, page.element('table', {}, [
                page.element('thead', {}, page.element('tr', {}, titles.map((title, c) =>
                    page.element('th', { class: c === 0 || c === 4 ? 'left' : '' }, title)))),
                page.element('tbody', {}, phases.map((phase) => phaseRow(run, phase)))]))]);
    };
})();
