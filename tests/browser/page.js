// Pages in a real browser: they need nothing and complain of nothing, show the numbers of the JSON
// results, and do what readers ask of them.
//   node tests/browser/page.js DIRECTORY         pages and results of scripts/check/browser.sh
//   node tests/browser/page.js DIRECTORY bench   how long the frames of a large schedule take
'use strict';

const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');
const { chromium } = require('playwright-core');

const directory = path.resolve(process.argv[2]);
let passed = 0;
let failed = 0;

function check(name, ok, detail) {
    if (ok) {
        passed++;
    } else {
        failed++;
        console.log('FAILED ' + name + (detail === undefined ? '' : ': ' + detail));
    }
}

function equal(name, got, want) {
    check(name, got === want, 'got ' + JSON.stringify(got) + ', want ' + JSON.stringify(want));
}

function near(name, got, want) {
    check(name, Math.abs(got - want) <= 1e-9 * Math.max(1, Math.abs(want)),
        'got ' + got + ', want ' + want);
}

const read = (name) => JSON.parse(fs.readFileSync(path.join(directory, name), 'utf8'));

// ---- a page -------------------------------------------------------------------------------------

async function open(browser, name, options) {
    const view = await browser.newPage(Object.assign({ viewport: { width: 1200, height: 900 } },
        options));
    const heard = [];
    view.on('console', (message) => heard.push(message.type() + ': ' + message.text()));
    view.on('pageerror', (error) => heard.push(String(error)));
    view.on('request', (request) => {
        if (!request.url().startsWith('file://' + directory)) heard.push('asks ' + request.url());
    });
    view.on('dialog', (dialog) => {
        heard.push('a dialog');
        dialog.dismiss();
    });
    await view.goto('file://' + path.join(directory, name));
    await view.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
    return { view: view, heard: heard };
}

// Points that lie where they can be seen, of each chart.
async function checkDrawn(view, name) {
    const drawn = await view.evaluate(() => Object.keys(page.shown).map((id) => {
        const shown = page.shown[id];
        if (!shown.graph) return { id: id, points: shown.inSight };
        const sets = shown.graphs().flatMap((graph) => graph.layout_.points);
        const seen = sets.map((points) => points.filter((point) => point.x >= 0 && point.x <= 1
            && point.y >= 0 && point.y <= 1).length);
        return { id: id, points: Math.min(...seen) };
    }));
    for (const chart of drawn) {
        check(name + ': something is seen of ' + chart.id, chart.points > 0,
            JSON.stringify(chart));
    }
}

// The library cuts labels of axes that are wider than it was told.
async function checkLabels(view, name) {
    const cut = await view.evaluate(() => Array.from(document.querySelectorAll(
        '.dygraph-axis-label')).filter((label) => label.scrollWidth > label.clientWidth)
        .map((label) => label.textContent));
    equal(name + ': labels of axes are whole', cut.join(', '), '');
}

// Brings every section into sight, so that all charts are made.
async function showAll(view) {
    for (const section of await view.locator('section').all()) {
        await section.scrollIntoViewIfNeeded();
    }
    await view.waitForFunction(() => Array.from(document.querySelectorAll('section'))
        .every((section) => section.dataset.ready === 'yes'));
}

// ---- numbers ------------------------------------------------------------------------------------

async function checkTable(view, results) {
    const rows = await view.locator('section table').first().locator('tbody tr').all();
    equal('rows of the table', rows.length, results.length);
    for (let i = 0; i < rows.length; i++) {
        const cells = await rows[i].locator('td').allTextContents();
        check('a row names its policy', cells[0].startsWith(results[i].policy), cells[0]);
    }
}

async function checkSorting(view) {
    const table = view.locator('section table').first();
    const button = table.locator('th button').nth(1);
    const column = async () => (await table.locator('tbody tr').all()).length
        && (await table.locator('tbody tr td:nth-child(2)').allTextContents()).map(parseFloat);
    await button.click();
    const up = await column();
    check('sorted upwards', up.every((value, i) => i === 0 || up[i - 1] <= value), up);
    equal('said so', await table.locator('th').nth(1).getAttribute('aria-sort'), 'ascending');
    await button.click();
    const down = await column();
    check('and downwards', down.every((value, i) => i === 0 || down[i - 1] >= value), down);
}

// The distribution that is drawn, against the rows of the JSON.
async function checkDistribution(view, results) {
    const drawn = await view.evaluate(() => {
        const section = page.data.sections.find((one) => one.id === 'distributions');
        return section.charts[0].chart.series.map((series) => ({ name: series.name,
            x: Array.from(page.column(series.x)), y: Array.from(page.column(series.y)) }));
    });
    results.forEach((result, i) => {
        const times = result.jobs.map((job) => job.flow_time);
        for (let k = 0; k < drawn[i].x.length; k++) {
            if (drawn[i].x[k] === drawn[i].x[k + 1]) continue; // it rises there
            const below = times.filter((time) => time <= drawn[i].x[k]).length / times.length;
            near(drawn[i].name + ': the fraction below ' + drawn[i].x[k], drawn[i].y[k], below);
        }
    });
}

// What dygraphs was given is what it shows.
async function checkCurves(view, count) {
    const shown = await view.evaluate(() => {
        const graph = page.shown.distributions.graph();
        return { rows: graph.numRows(), columns: graph.numColumns(), range: graph.xAxisRange() };
    });
    equal('a curve for each policy', shown.columns, count + 1);
    check('they have points', shown.rows > 10, shown.rows);
}

async function checkSchedule(view, results) {
    const runs = await view.evaluate(() => {
        const section = page.data.sections.find((one) => one.id === 'schedule');
        return section.runs.map((one) => {
            const run = page.run(one);
            return { name: run.name, id: Array.from(run.jobs.id),
                arrival: Array.from(run.jobs.arrival), finish: Array.from(run.jobs.finish) };
        });
    });
    equal('a schedule for each policy', runs.length, results.length);
    runs.forEach((run, i) => {
        const flow = run.id.reduce((sum, _, k) => sum + run.finish[k] - run.arrival[k], 0);
        near(run.name + ': the sum of flow times', flow, results[i].total_flow_time);
    });
}

// ---- what readers do ----------------------------------------------------------------------------

const shownView = (view) => view.evaluate(() => Object.assign({}, page.shown.schedule.view));

async function checkZoom(view) {
    const canvas = view.locator('#schedule canvas');
    await canvas.scrollIntoViewIfNeeded();
    await canvas.focus();
    const box = await canvas.boundingBox();
    const all = await shownView(view);
    await view.mouse.move(box.x + box.width / 4, box.y + 50);
    for (let i = 0; i < 4; i++) await view.mouse.wheel(0, -100);
    await view.waitForFunction((width) => page.shown.schedule.view.to
        - page.shown.schedule.view.from < width, (all.to - all.from) / 2);
    const near = await shownView(view);
    const at = all.from + (all.to - all.from) / 4;
    check('the wheel zooms where the pointer is', near.from < at && at < near.to,
        JSON.stringify(near));
    await canvas.press('ArrowRight');
    const moved = await shownView(view);
    check('an arrow moves', moved.from > near.from, JSON.stringify(moved));
    await canvas.press('0');
    const back = await shownView(view);
    equal('0 shows all', back.to - back.from, all.to - all.from);
}

async function checkGroups(view) {
    const before = await canvasSum(view);
    const boxes = view.locator('#schedule .legend input');
    const count = await boxes.count();
    for (let i = 0; i < count; i++) await boxes.nth(i).uncheck();
    const hidden = await canvasSum(view);
    check('what is hidden is not drawn', hidden < before / 2, hidden + ' of ' + before);
    for (let i = 0; i < count; i++) await boxes.nth(i).check();
    equal('what is shown again is', await canvasSum(view), before);
}

// How much is drawn: the sum of what pixels cover.
function canvasSum(view) {
    return view.evaluate(() => {
        const gantt = page.shown.schedule;
        gantt.state.hidden[gantt.run.classes.length] = true; // waits aside
        gantt.draw();
        const { width, height } = gantt.canvas;
        const copy = new OffscreenCanvas(width, height).getContext('2d',
            { willReadFrequently: true });
        copy.drawImage(gantt.canvas, 0, 0);
        const pixels = copy.getImageData(0, 0, width, height).data;
        let sum = 0;
        for (let i = 3; i < pixels.length; i += 4) sum += pixels[i];
        return sum;
    });
}

// The explanation of a job that was searched for, against that of the program.
async function checkExplanation(view, name) {
    const wanted = read(name);
    await view.locator('#schedule input[type=search]').fill(String(wanted.job));
    await view.locator('#schedule input[type=search]').press('Enter');
    const text = await view.locator('#schedule .why').textContent();
    check('the job is named', text.includes('job ' + wanted.job), text);
    if (wanted.model === 'slotted') {
        check('the slot in which it finished', text.includes('finished in slot ' + wanted.finish
            + ', after ' + wanted.time + ' slots'), text);
    }
    const phases = await view.evaluate((id) => {
        const run = page.shown.schedule.run;
        return page.phasesOf(run, run.jobs.id.indexOf(id)).map((phase) =>
            Object.assign({}, phase, { held: (phase.held || []).map((held) =>
                ({ job: run.jobs.id[held.job], share: held.share })) }));
    }, wanted.job);
    equal(name + ': phases', phases.length, wanted.phases.length);
    wanted.phases.forEach((phase, i) => {
        equal(name + ': phase ' + i, phases[i].name, phase.phase);
        near(name + ': its time', phases[i].finish - phases[i].start, phase.time);
        (phase.held || []).forEach((held, k) => {
            equal(name + ': who held what it waited for', phases[i].held[k].job, held.job);
            near(name + ': and how much', phases[i].held[k].share, held.share);
        });
        for (const part of ['nobody', 'down']) {
            if (typeof phase[part] !== 'number') continue;
            near(name + ': ' + part, phases[i][part], phase[part]);
        }
    });
    await view.locator('#schedule input[type=search]').fill('no such job');
    await view.locator('#schedule input[type=search]').press('Enter');
    equal('a job that is not there', await view.locator('#schedule .message').textContent(),
        'no job no such job');
}

// As far in as one can zoom, and from job to job.
async function checkDeepest(browser, name) {
    const { view, heard } = await open(browser, name);
    await showAll(view);
    const deepest = view.evaluate(() => {
        const gantt = page.shown.schedule;
        for (const key of Array(100).fill('+').concat(['n', 'p', 'p', '0'])) {
            gantt.key({ key: key, preventDefault: () => {} });
            gantt.draw();
        }
        return gantt.ticks.childElementCount;
    });
    const ticks = await Promise.race([deepest, new Promise((done) => setTimeout(done, 10000, -1))]);
    check(name + ': is drawn at any zoom', ticks > 0, ticks);
    if (ticks < 0) process.exit(1); // a page that hangs cannot be closed
    equal(name + ': nothing is complained of', heard.join('; '), '');
    await view.close();
}

async function checkTheme(view) {
    const ground = () => view.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await view.locator('button.theme').click();
    check('dark is another colour', await ground() !== light);
    await view.emulateMedia({ media: 'print' });
    await view.emulateMedia({ media: 'screen' });
    await view.locator('button.theme').click();
    equal('and light again', await ground(), light);
}

// How many pixels of a printed page have each colour; null where nothing can tell.
function coloursOf(pdf) {
    const made = spawnSync('pdftoppm', ['-r', '72', '-'], { input: pdf, maxBuffer: 1 << 30 });
    if (made.error) return null;
    const counts = new Map();
    let at = 0;
    while (at < made.stdout.length) { // P6, width, height, 255, then three bytes a pixel
        const head = /^P6\s(\d+)\s(\d+)\s255\s/.exec(made.stdout.latin1Slice(at, at + 40));
        const end = at + head[0].length + 3 * head[1] * head[2];
        for (let i = at + head[0].length; i < end; i += 3) {
            const colour = made.stdout.readUIntBE(i, 3);
            counts.set(colour, (counts.get(colour) || 0) + 1);
        }
        at = end;
    }
    return counts;
}

// Curves are on paper, in light colours, of charts that were seen before and of others.
async function checkPrint(browser, name) {
    const { view, heard } = await open(browser, name, { colorScheme: 'dark' });
    const unseen = coloursOf(await view.pdf());
    await showAll(view);
    const seen = coloursOf(await view.pdf());
    if (unseen === null) {
        console.log('left out: printed pages (no pdftoppm here)');
    } else {
        const looks = await view.evaluate(() => page.data.sections.find((section) =>
            section.id === 'distributions').charts[0].chart.series.map((series) =>
            page.data.palette.lines[series.look]));
        for (const look of looks) {
            const colour = parseInt(look.slice(1), 16);
            check(name + ': a curve of ' + look + ' is printed', seen.get(colour) > 100,
                seen.get(colour));
            equal(name + ': also one that was not seen before', unseen.get(colour),
                seen.get(colour));
        }
    }
    await checkDrawn(view, name + ' after printing');
    equal(name + ': nothing is complained of when it is printed', heard.join('; '), '');
    await view.close();
}

// The bars of all policies, the best one first, and what the reader chooses.
async function checkBars(view, results) {
    const names = await view.locator('#policies .name').allTextContents();
    const sorted = results.slice().sort((a, b) => a.mean_flow_time - b.mean_flow_time);
    equal('the best policy first', names.join(), sorted.map((one) => one.policy).join());
    const widths = await view.locator('#policies .fill').evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().width));
    check('longer bars for larger means', widths.every((width, i) =>
        i === 0 || widths[i - 1] <= width), widths.join());
    const list = view.locator('#policies select');
    await list.selectOption('longest flow time (slots)');
    const numbers = await view.locator('#policies .number').allTextContents();
    equal('another measure', numbers.join(), results.map((one) =>
        Math.max(...one.jobs.map((job) => job.flow_time))).sort((a, b) => a - b).join());
    equal('is answered', await view.locator('.answer').textContent().then((text) =>
        text.startsWith(sorted[0].policy + ':')), true);
}

// Panels of one axis, the map, and charts over the other setting.
async function checkSweep(browser) {
    const { view, heard } = await open(browser, 'sweep.html');
    await showAll(view);
    const ranges = await view.evaluate(() => page.shown.sweep.graphs().map((graph) =>
        graph.yAxisRange().join(' to ')));
    equal('a panel for each value of the second setting', ranges.length, 2);
    equal('with one axis', ranges[0], ranges[1]);
    equal('maps have a cell for each pair', await view.locator('#map td').count(), 4);
    await view.locator('#sweep select').nth(1).selectOption('reduces');
    equal('over the other setting', await view.evaluate(() =>
        page.shown.sweep.graphs().length), 2);
    equal('its values are names', await view.locator('#sweep .axis.under').first()
        .textContent(), 'reduces');
    equal('nothing is complained of', heard.join('; '), '');
    await view.close();
}

async function checkLogarithm(view) {
    const box = view.locator('#distributions .option input').first();
    const middle = () => view.evaluate(() => {
        const graph = page.shown.distributions.graph();
        const [low, high] = graph.xAxisRange();
        return graph.toPercentXCoord((low + high) / 2);
    });
    const before = await box.isChecked();
    const scale = await middle();
    await box.setChecked(!before);
    check('a logarithmic axis moves the middle', Math.abs(await middle() - scale) > 0.1,
        await middle());
    await box.setChecked(before);
    near('and the first again', await middle(), scale);
}

// ---- all of it ----------------------------------------------------------------------------------

async function test(browser) {
    const results = read('slotted.json').rows;
    let { view, heard } = await open(browser, 'slotted.html');
    await showAll(view);
    await checkTable(view, results);
    await checkSorting(view);
    await checkBars(view, results);
    await checkDistribution(view, results);
    await checkCurves(view, results.length);
    await checkLogarithm(view);
    await checkSchedule(view, results);
    await checkZoom(view);
    await checkGroups(view);
    await checkTheme(view);
    for (const name of fs.readdirSync(directory).filter((one) => /^explain-/.test(one))) {
        await checkExplanation(view, name);
    }
    equal('nothing is complained of, and nothing asked for', heard.join('; '), '');
    await view.close();

    ({ view, heard } = await open(browser, 'failing.html'));
    await showAll(view);
    for (const name of fs.readdirSync(directory).filter((one) => /^failing-/.test(one))) {
        await checkExplanation(view, name);
    }
    await view.close();
    await checkDeepest(browser, 'late.html');
    await checkPrint(browser, 'slotted.html');
    await checkSweep(browser);

    for (const name of fs.readdirSync(directory).filter((one) => one.endsWith('.html'))) {
        for (const colorScheme of ['light', 'dark']) {
            ({ view, heard } = await open(browser, name, { colorScheme: colorScheme }));
            await showAll(view);
            await checkDrawn(view, name);
            await checkLabels(view, name);
            await view.screenshot({ path: path.join(directory, name.replace('.html',
                '-' + colorScheme + '.png')), fullPage: true });
            equal(name + ': nothing is complained of, and nothing asked for', heard.join('; '), '');
            for (const width of [1200, 390]) {
                await view.setViewportSize({ width: width, height: 900 });
                const fits = await view.waitForFunction((most) =>
                    document.documentElement.scrollWidth <= most, width, { timeout: 5000 })
                    .catch(() => null);
                check(name + ': fits into ' + width + ' pixels', fits !== null);
            }
            await view.close();
        }
    }
}

async function bench(browser) {
    const start = Date.now();
    const { view } = await open(browser, 'large.html');
    const ready = Date.now() - start;
    await view.locator('#schedule').scrollIntoViewIfNeeded();
    await view.waitForFunction(() => page.shown.schedule && page.shown.schedule.frames > 0);
    const times = await view.evaluate(() => {
        const gantt = page.shown.schedule;
        function time(act, count) {
            const before = performance.now();
            for (let i = 0; i < count; i++) {
                act();
                gantt.draw();
            }
            return ((performance.now() - before) / count).toFixed(1);
        }
        return { bars: gantt.run.bars.job.length, jobs: gantt.run.jobs.id.length,
            whole: time(() => gantt.showAll(), 20),
            zoom: time(() => gantt.zoom(1 / 1.25, 0.3, 0.5, false), 20),
            move: time(() => gantt.move(0.02, 0), 20),
            explain: time(() => gantt.choose(gantt.run.jobs.id.length >> 1), 3) };
    });
    const size = fs.statSync(path.join(directory, 'large.html')).size;
    console.log('page of ' + times.jobs + ' jobs and ' + times.bars + ' bars: '
        + (size / 1e6).toFixed(2) + ' MB, ready after ' + ready + ' ms; a frame of all '
        + times.whole + ' ms, while zooming ' + times.zoom + ' ms, while moving ' + times.move
        + ' ms; a job explained in ' + times.explain + ' ms');
    await view.close();
}

(async () => {
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM,
        args: ['--no-sandbox'] });
    await (process.argv[3] === 'bench' ? bench : test)(browser);
    await browser.close();
    if (process.argv[3] !== 'bench') console.log(passed + ' passed, ' + failed + ' failed');
    process.exitCode = failed > 0 ? 1 : 0;
})();
