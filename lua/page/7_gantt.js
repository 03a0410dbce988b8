// The interactive Gantt chart of a run: by place, or by job; zoom, search, hide, explain.
'use strict';

(function () {
    const HEIGHT = 420; // of the canvas, in CSS pixels
    const ZOOM = 1.25;
    const PAN = 0.15;
    const CLICK_MOST = 4; // pixels that a click may move
    const TICKS = 8;
    const TICK_LETTER = 8; // pixels, at most
    const BESIDE = 16; // the chart: pixels that are free

    // ---- what a run is ------------------------------------------------------------------------

    function columnsOf(columns) {
        const made = {};
        for (const name of Object.keys(columns)) made[name] = page.column(columns[name]);
        if (made.length) made.finish = made.start.map((start, i) => start + made.length[i]);
        return made;
    }

    page.run = function (section) {
        const run = Object.assign({}, section);
        run.jobs = columnsOf(section.jobs);
        run.bars = columnsOf(section.bars);
        run.phases = columnsOf(section.phases);
        run.pool = section.pool ? page.column(section.pool) : null;
        const count = run.jobs.id.length;
        const begins = new Uint32Array(count + 1);
        for (let i = 0; i < count; i++) begins[i + 1] = begins[i] + run.phases.count[i];
        run.phases.begins = begins;
        run.competing = run.panels.map((panel) =>
            run.panels.map((_, p) => panel.competing.includes(p)));
        return run;
    };

    // The bars by place: all panels one below the other. A bar may take several rows.
    function lanesByPlace(run) {
        const made = { row: [], start: [], finish: [], cls: [], job: [], fate: [] };
        const offsets = [];
        let rows = 0;
        for (const panel of run.panels) {
            offsets.push(rows);
            rows += panel.rows + 1;
        }
        const bars = run.bars;
        const sources = [];
        for (let i = 0; i < bars.job.length; i++) {
            const first = offsets[bars.panel[i]] + bars.row[i] - 1;
            const span = bars.amount ? bars.amount[i] : 1;
            for (let row = first; row < first + span; row++) {
                made.row.push(row);
                made.start.push(bars.start[i]);
                made.finish.push(bars.finish[i]);
                made.cls.push(run.jobs.cls[bars.job[i]]);
                made.job.push(bars.job[i]);
                made.fate.push(bars.fate ? bars.fate[i] : 0);
                sources.push(i);
            }
        }
        const lanes = page.lanes(rows, made);
        lanes.bar = lanes.source.map((i) => sources[i]);
        lanes.offsets = offsets;
        return lanes;
    }

    // A row for each job that came, in the order in which they did: its phases.
    function lanesByJob(run) {
        const count = run.jobs.id.length;
        const order = Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) =>
            run.jobs.arrival[a] - run.jobs.arrival[b] || a - b);
        const rowOf = new Uint32Array(count);
        order.forEach((job, row) => { rowOf[job] = row; });
        const total = run.phases.begins[count];
        const made = { row: new Uint32Array(total), start: run.phases.start,
            finish: run.phases.finish, cls: new Uint8Array(total), job: new Uint32Array(total),
            fate: new Uint8Array(total) };
        for (let job = 0; job < count; job++) {
            for (let i = run.phases.begins[job]; i < run.phases.begins[job + 1]; i++) {
                made.row[i] = rowOf[job];
                made.job[i] = job;
                made.cls[i] = run.words[run.phases.word[i]].waits === null ? run.jobs.cls[job]
                    : run.classes.length;
            }
        }
        const lanes = page.lanes(count, made);
        lanes.phase = lanes.source;
        lanes.jobAt = order;
        return lanes;
    }

    // ---- colours ------------------------------------------------------------------------------

    function channelsOf(colour) {
        const hex = parseInt(colour.slice(1), 16);
        return [hex >> 16, hex >> 8 & 255, hex & 255];
    }

    // One for each class of jobs, and the last for waits.
    function lookOf(run, state) {
        const colours = run.classes.map((entry, i) => (entry.other ? page.otherColour()
            : page.colour(i)));
        colours.push(page.ink('wait'));
        return { colours: colours, channels: colours.map(channelsOf), hidden: state.hidden,
            chosen: state.chosen, vain: page.ink('vain') };
    }

    // ---- the view -----------------------------------------------------------------------------

    // Zoomed as far in as doubles of these times still tell ticks apart.
    function clampView(view, all) {
        const least = Math.max((all.to - all.from) * 1e-7, all.to * Math.pow(2, -46));
        const width = Math.min(Math.max(view.to - view.from, least), all.to - all.from);
        const height = Math.min(Math.max(view.bottom - view.top, 1), all.bottom);
        view.from = Math.min(Math.max(view.from, all.from), all.to - width);
        view.top = Math.min(Math.max(view.top, 0), all.bottom - height);
        view.to = view.from + width;
        view.bottom = view.top + height;
    }

    function zoomView(view, factor, atX, atY, vertical) {
        if (!vertical) {
            const time = view.from + atX * (view.to - view.from);
            view.from = time - (time - view.from) * factor;
            view.to = time + (view.to - time) * factor;
        } else {
            const row = view.top + atY * (view.bottom - view.top);
            view.top = row - (row - view.top) * factor;
            view.bottom = row + (view.bottom - row) * factor;
        }
    }

    function stepOf(width) {
        const rough = width / TICKS;
        const power = Math.pow(10, Math.floor(Math.log10(rough)));
        return [1, 2, 5, 10].map((x) => x * power).find((x) => x >= rough);
    }

    // ---- the chart ----------------------------------------------------------------------------

    class Gantt {
        constructor(section) {
            this.run = page.run(section);
            this.byPlace = section.places;
            this.state = { hidden: this.run.classes.map(() => false).concat([false]), chosen: -1 };
            this.lanes = {};
            this.frames = 0;
            this.inSight = 0;
            this.build();
        }

        current() {
            const kind = this.byPlace ? 'place' : 'job';
            if (!this.lanes[kind]) {
                this.lanes[kind] = this.byPlace ? lanesByPlace(this.run) : lanesByJob(this.run);
            }
            return this.lanes[kind];
        }

        showAll() {
            this.all = { from: this.run.from, to: this.run.to, top: 0,
                bottom: this.current().rows };
            this.view = Object.assign({}, this.all);
        }

        // ---- elements

        build() {
            this.canvas = page.element('canvas', { tabIndex: 0, role: 'img',
                'aria-label': this.description() });
            this.names = page.element('div', { class: 'rows', 'aria-hidden': 'true' });
            this.ticks = page.element('div', { class: 'ticks', 'aria-hidden': 'true' });
            this.tip = page.element('div', { class: 'tip', hidden: true });
            this.why = page.element('div', { class: 'why', 'aria-live': 'polite' },
                'Click a bar, or search for a job, to see why it took so long.');
            this.element = page.element('div', { class: 'gantt' }, [this.tools(), this.legend(),
                page.element('div', { class: 'frame' }, [this.names,
                    page.element('div', { class: 'stage' }, [this.canvas, this.tip]), this.ticks]),
                page.element('p', { class: 'axis under' }, this.run.axis), this.why]);
            this.listen();
            page.onTheme(() => { if (this.view) this.draw(); });
        }

        description() {
            return 'Gantt chart of ' + this.run.name + ': ' + this.run.bars.job.length
                + ' bars of ' + this.run.jobs.id.length + ' jobs. Arrow keys move, plus and minus '
                + 'zoom, with Shift in rows; 0 shows all; n and p choose the next and the previous '
                + 'job.';
        }

        tools() {
            const search = page.element('input', { type: 'search',
                placeholder: 'job number or name', 'aria-label': 'Search a job' });
            search.addEventListener('keydown', (event) => {
                if (event.key === 'Enter') this.search(search.value.trim());
            });
            const parts = [search];
            if (this.run.places) {
                const list = page.element('select', { 'aria-label': 'Rows' }, [
                    page.element('option', { value: 'place' }, 'by place'),
                    page.element('option', { value: 'job' }, 'by job')]);
                list.addEventListener('change', () => {
                    this.byPlace = list.value === 'place';
                    this.showAll();
                    this.draw();
                });
                parts.push(list);
            }
            for (const [text, title, act] of [
                ['+', 'Zoom in', () => this.zoom(1 / ZOOM, 0.5, 0.5, false)],
                ['−', 'Zoom out', () => this.zoom(ZOOM, 0.5, 0.5, false)],
                ['all', 'Show all', () => { this.showAll(); this.draw(); }]]) {
                const button = page.element('button', { type: 'button', title: title }, text);
                button.addEventListener('click', act);
                parts.push(button);
            }
            this.message = page.element('span', { class: 'message', 'aria-live': 'polite' });
            return page.element('div', { class: 'tools' }, parts.concat(this.message));
        }

        legend() {
            this.swatches = [];
            return page.element('ul', { class: 'legend' }, this.run.classes.map((entry, i) => {
                const box = page.element('input', { type: 'checkbox', checked: true });
                box.addEventListener('change', () => {
                    this.state.hidden[i] = !box.checked;
                    this.draw();
                });
                const swatch = page.element('span', { class: 'swatch' });
                this.swatches.push(swatch);
                return page.element('li', {}, page.element('label', {}, [box, swatch, entry.name]));
            }));
        }

        // ---- drawing

        resize() {
            const scale = window.devicePixelRatio || 1;
            const width = Math.max(50, Math.round(this.canvas.clientWidth * scale));
            const height = Math.round(HEIGHT * scale);
            if (this.canvas.width !== width || this.canvas.height !== height) {
                this.canvas.width = width;
                this.canvas.height = height;
            }
            return { width: width, height: height };
        }

        draw() {
            const size = this.resize();
            const context = this.canvas.getContext('2d');
            const look = lookOf(this.run, this.state);
            clampView(this.view, this.all);
            context.clearRect(0, 0, size.width, size.height);
            this.inSight = page.drawLanes(context, this.current(), this.view, size, look);
            this.drawDowns(context, size);
            this.swatches.forEach((swatch, i) => { swatch.style.background = look.colours[i]; });
            this.drawTicks();
            this.drawNames();
            this.frames++;
        }

        later() {
            if (this.waiting) return;
            this.waiting = true;
            requestAnimationFrame(() => {
                this.waiting = false;
                this.draw();
            });
        }

        drawDowns(context, size) {
            if (!this.byPlace) return;
            const view = this.view;
            const scaleX = size.width / (view.to - view.from);
            const scaleY = size.height / (view.bottom - view.top);
            context.fillStyle = page.ink('down');
            for (const [panel, first, last, start, finish] of this.run.downs) {
                const top = this.current().offsets[panel] + first - 1;
                context.fillRect((start - view.from) * scaleX, (top - view.top) * scaleY,
                    ((finish === null ? this.all.to : finish) - start) * scaleX,
                    (last - first + 1) * scaleY);
            }
        }

        drawTicks() {
            const unit = this.run.unit;
            const from = this.view.from / unit;
            const to = this.view.to / unit;
            const step = stepOf(to - from);
            const digits = Math.min(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), 100);
            const first = Math.ceil(from / step);
            const width = this.canvas.clientWidth;
            const made = [];
            let free = -Infinity; // to the right of the last label
            for (let i = 0; i <= 2 * TICKS && (first + i) * step <= to; i++) {
                const time = (first + i) * step;
                const text = String(Number(time.toFixed(digits)));
                const x = width * (time - from) / (to - from);
                const half = text.length * TICK_LETTER / 2;
                if (x - half < free || x + half > width + BESIDE) continue;
                const tick = page.element('span', {}, text);
                tick.style.left = x + 'px';
                made.push(tick);
                free = x + half + TICK_LETTER;
            }
            this.ticks.replaceChildren(...made);
        }

        // Bands, such as nodes, as far as their names have room.
        drawNames() {
            const view = this.view;
            const scale = HEIGHT / (view.bottom - view.top);
            const made = [];
            let free = 0;
            for (const band of this.bandsInSight()) {
                const y = (Math.max(band.first, view.top) - view.top) * scale;
                const end = (band.last - view.top) * scale;
                if (y < free || end < 0 || y > HEIGHT - 12) continue;
                const name = page.element('span', {}, band.name);
                name.style.top = y + 'px';
                made.push(name);
                free = y + 14;
            }
            this.names.replaceChildren(...made);
        }

        bandsInSight() {
            const lanes = this.current();
            if (!this.byPlace) {
                const bands = [];
                const inSight = this.view.bottom - this.view.top;
                const step = Math.max(1, Math.ceil(inSight * 14 / HEIGHT));
                const first = Math.max(0, Math.floor(this.view.top));
                for (let row = first; row < Math.min(lanes.rows, this.view.bottom); row += step) {
                    bands.push({ first: row, last: row + 1,
                        name: 'job ' + this.run.jobs.id[lanes.jobAt[row]] });
                }
                return bands;
            }
            return this.run.panels.flatMap((panel, p) => {
                const offset = lanes.offsets[p];
                if (panel.bands.length === 0) {
                    return [{ first: offset, last: offset + panel.rows, name: panel.name }];
                }
                return panel.bands.map((band) => ({ first: offset + band.first - 1,
                    last: offset + band.last,
                    name: this.run.panels.length > 1 ? panel.category + ' ' + band.name
                        : band.name }));
            });
        }

        // ---- what the reader does

        place(event) {
            const box = this.canvas.getBoundingClientRect();
            return { x: (event.clientX - box.left) / box.width,
                y: (event.clientY - box.top) / box.height };
        }

        zoom(factor, x, y, vertical) {
            zoomView(this.view, factor, x, y, vertical);
            this.later();
        }

        move(x, y) {
            const view = this.view;
            const time = x * (view.to - view.from);
            const rows = y * (view.bottom - view.top);
            this.view = { from: view.from + time, to: view.to + time, top: view.top + rows,
                bottom: view.bottom + rows };
            this.later();
        }

        barUnder(at) {
            const view = this.view;
            return page.barAt(this.current(),
                Math.floor(view.top + at.y * (view.bottom - view.top)),
                view.from + at.x * (view.to - view.from));
        }

        textOf(bar) {
            const lanes = this.current();
            const run = this.run;
            const job = page.jobName(run, lanes.job[bar]);
            const span = page.timeText(run, lanes.start[bar]) + ' – '
                + page.endText(run, lanes.finish[bar]);
            if (!this.byPlace) {
                return job + ', ' + run.words[run.phases.word[lanes.phase[bar]]].name + ', ' + span;
            }
            const i = lanes.bar[bar];
            const part = ['stage', 'task', 'attempt'].filter((name) => run.bars[name]
                && !isNaN(run.bars[name][i])).map((name) => name + ' ' + run.bars[name][i]);
            const fate = lanes.fate[bar] ? [run.fates[lanes.fate[bar] - 1]] : [];
            return [job].concat(part, span, fate).join(', ');
        }

        hover(at, event) {
            const bar = this.barUnder(at);
            this.tip.hidden = bar < 0 || this.state.hidden[this.current().cls[bar]];
            if (this.tip.hidden) return;
            this.tip.textContent = this.textOf(bar);
            const box = this.canvas.getBoundingClientRect();
            this.tip.style.left = Math.min(event.clientX - box.left + 12, box.width - 180) + 'px';
            this.tip.style.top = (event.clientY - box.top + 14) + 'px';
        }

        choose(job) {
            this.state.chosen = job;
            this.message.textContent = '';
            this.why.replaceChildren(job < 0 ? 'No job is chosen.'
                : page.explanation(this.run, job));
            this.later();
        }

        // Shows all of a job, with as much around it.
        goTo(job) {
            const run = this.run;
            const finish = isNaN(run.jobs.finish[job]) ? run.to : run.jobs.finish[job];
            const width = Math.max(finish - run.jobs.arrival[job], (run.to - run.from) / 1000);
            const row = this.byPlace ? -1 : this.current().jobAt.indexOf(job);
            const rows = this.view.bottom - this.view.top;
            this.view = { from: run.jobs.arrival[job] - width / 2, to: finish + width / 2,
                top: row < 0 ? 0 : row - rows / 2,
                bottom: row < 0 ? this.all.bottom : row + rows / 2 };
            this.choose(job);
        }

        search(text) {
            const ids = this.run.jobs.id;
            let job = /^\d+$/.test(text) ? ids.indexOf(Number(text)) : -1;
            if (job < 0 && this.run.names && text !== '') job = this.run.names.indexOf(text);
            if (job < 0) this.message.textContent = 'no job ' + text;
            else this.goTo(job);
        }

        key(event) {
            const moves = { ArrowLeft: [-PAN, 0], ArrowRight: [PAN, 0], ArrowUp: [0, -PAN],
                ArrowDown: [0, PAN] };
            const count = this.run.jobs.id.length;
            if (event.key in moves) this.move(...moves[event.key]);
            else if (event.key === '+' || event.key === '=') this.zoom(1 / ZOOM, 0.5, 0.5, false);
            else if (event.key === '*') this.zoom(1 / ZOOM, 0.5, 0.5, true);
            else if (event.key === '-') this.zoom(ZOOM, 0.5, 0.5, false);
            else if (event.key === '_') this.zoom(ZOOM, 0.5, 0.5, true);
            else if (event.key === '0') { this.showAll(); this.later(); }
            else if (event.key === 'n') this.goTo((this.state.chosen + 1) % count);
            else if (event.key === 'p') {
                this.goTo((Math.max(this.state.chosen, 0) + count - 1) % count);
            }
            else if (event.key === 'Escape') this.choose(-1);
            else return;
            event.preventDefault();
        }

        listen() {
            let down = null;
            const canvas = this.canvas;
            canvas.addEventListener('wheel', (event) => {
                // A page can be scrolled over a chart that nobody has touched.
                if (document.activeElement !== canvas && !event.ctrlKey) return;
                event.preventDefault();
                const at = this.place(event);
                this.zoom(event.deltaY > 0 ? ZOOM : 1 / ZOOM, at.x, at.y, event.shiftKey);
            }, { passive: false });
            canvas.addEventListener('pointerdown', (event) => {
                down = Object.assign({ moved: 0 }, this.place(event));
                canvas.setPointerCapture(event.pointerId);
            });
            canvas.addEventListener('pointermove', (event) => {
                const at = this.place(event);
                if (!down) return this.hover(at, event);
                down.moved += Math.abs(event.movementX) + Math.abs(event.movementY);
                this.move(down.x - at.x, down.y - at.y);
                down.x = at.x;
                down.y = at.y;
            });
            canvas.addEventListener('pointerup', (event) => {
                const isClick = down && down.moved <= CLICK_MOST;
                const bar = isClick ? this.barUnder(this.place(event)) : -1;
                down = null;
                if (bar >= 0) this.choose(this.current().job[bar]);
            });
            canvas.addEventListener('pointerleave', () => { this.tip.hidden = true; });
            canvas.addEventListener('keydown', (event) => this.key(event));
            canvas.addEventListener('dblclick', () => { this.showAll(); this.later(); });
            new ResizeObserver(() => { if (this.view) this.later(); }).observe(canvas);
        }

        show() {
            this.showAll();
            this.draw();
        }
    }

    // The Gantt charts of several runs, of which one is seen.
    page.gantts = function (section) {
        const holder = page.element('div');
        const made = section.runs.map(() => null);
        function choose(i) {
            const isNew = !made[i];
            made[i] = made[i] || new Gantt(section.runs[i]);
            holder.replaceChildren(made[i].element);
            if (isNew) made[i].show(); else made[i].later();
            page.shown[section.id] = made[i];
        }
        const parts = [holder];
        if (section.runs.length > 1) {
            const list = page.element('select', {}, section.runs.map((run, i) =>
                page.element('option', { value: i }, run.name)));
            list.addEventListener('change', () => choose(Number(list.value)));
            parts.unshift(page.element('label', { class: 'option' }, ['show ', list]));
        }
        return { element: page.element('div', {}, parts), show: () => choose(0) };
    };
})();
