// The playground in a real browser, from a server on this machine: every example runs, edits and
// errors are shown, links hold the experiment, an endless policy can be stopped, nothing is asked
// for elsewhere; and the program in it writes the same bytes as the native one.
//   node tests/browser/playground.js BUILD/playground BUILD/pinion [same]
'use strict';

const fs = require('fs');
const http = require('http');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');

const folder = path.resolve(process.argv[2]);
const native = path.resolve(process.argv[3]);
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

const equal = (name, got, want) => check(name, got === want,
    'got ' + JSON.stringify(got) + ', want ' + JSON.stringify(want));

const EXAMPLES = new Function('const window = {};' + fs.readFileSync(
    path.join(folder, 'examples.js'), 'utf8') + 'return window.EXAMPLES;')();

// ---- the same bytes -----------------------------------------------------------------------------

const Pinion = require(path.join(folder, 'pinion.js'));
const binary = fs.readFileSync(path.join(folder, 'pinion.wasm'));

async function inWasm(files, args, made) {
    const program = await Pinion({ wasmBinary: binary, print: () => {}, printErr: () => {},
        quit: (_, exit) => { throw exit; } });
    program.FS.mkdirTree('/home');
    program.FS.chdir('/home');
    for (const name of Object.keys(files)) program.FS.writeFile(name, files[name]);
    let status = 0;
    try {
        status = program.callMain(args);
    } catch (error) {
        status = error.status;
    }
    return { status: status, made: status === 0 ? Buffer.from(program.FS.readFile(made)) : null };
}

function inNative(files, args, made) {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'pinion-'));
    for (const name of Object.keys(files)) fs.writeFileSync(path.join(home, name), files[name]);
    const run = spawnSync(native, args, { cwd: home });
    const result = { status: run.status,
        made: run.status === 0 ? fs.readFileSync(path.join(home, made)) : null };
    fs.rmSync(home, { recursive: true });
    return result;
}

function commandOf(example, made) {
    const words = ['compare', '--workload', example.workload, '--policies', example.policies,
        '--quiet', '--output', made];
    for (const setting of example.settings.split(' ')) if (setting) words.push('--set', setting);
    if (example.model) words.push('--model', example.model);
    return words;
}

async function checkBytes() {
    for (const example of EXAMPLES.filter((one) => !one.script)) {
        for (const made of ['result.json', 'result.html']) {
            const args = commandOf(example, made);
            const here = await inWasm(example.files, args, made);
            const there = inNative(example.files, args, made);
            equal(example.name + ': ends as the native program', here.status, there.status);
            check(example.name + ': the same bytes of ' + made,
                here.made && there.made && here.made.equals(there.made));
        }
    }
}

// ---- the page -----------------------------------------------------------------------------------

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css',
    '.wasm': 'application/wasm' };

function serve() {
    const server = http.createServer((request, response) => {
        const name = path.join(folder, path.basename(request.url.split('?')[0]) || 'index.html');
        if (!fs.existsSync(name)) {
            response.writeHead(404).end();
            return;
        }
        response.writeHead(200, { 'Content-Type': TYPES[path.extname(name)] || 'text/plain' });
        response.end(fs.readFileSync(name));
    });
    return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

async function open(browser, url, options) {
    const view = await browser.newPage(Object.assign({ viewport: { width: 1280, height: 900 } },
        options));
    const heard = [];
    view.on('console', (message) => heard.push(message.type() + ': ' + message.text()));
    view.on('pageerror', (error) => heard.push(String(error)));
    view.on('request', (request) => {
        const asked = request.url();
        if (!asked.startsWith(url.split('#')[0]) && !/^(blob|data|about):/.test(asked)
            && !asked.endsWith('/favicon.ico')) heard.push('asks ' + asked);
    });
    await view.goto(url);
    return { view: view, heard: heard };
}

const progress = (view) => view.locator('#progress').textContent();

async function finished(view) {
    await view.waitForFunction(() => !document.getElementById('run').disabled
        && /^(done|failed|stopped)/.test(document.getElementById('progress').textContent), null,
    { timeout: 120000 });
    return progress(view);
}

async function edit(view, change) {
    await view.evaluate((text) => {
        const editor = document.querySelector('.CodeMirror').CodeMirror;
        editor.setValue(text);
    }, change(await view.evaluate(() =>
        document.querySelector('.CodeMirror').CodeMirror.getValue())));
}

// What the result says; its charts are made when they come into sight.
async function frameText(view, selector) {
    await view.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    return view.frameLocator('#result iframe').locator(selector).first().textContent();
}

async function checkExamples(view) {
    for (let i = 0; i < EXAMPLES.length; i++) {
        const example = EXAMPLES[i];
        await view.locator('#examples').selectOption(String(i));
        check(example.name + ': runs', (await finished(view)).startsWith('done'),
            await view.locator('#output').textContent());
        if (example.script) {
            check('a script prints', (await view.locator('#output').textContent()).length > 100);
        } else {
            equal(example.name + ': its question', (await frameText(view, 'h1')).slice(0, 12),
                'Which policy');
        }
    }
}

async function checkEdits(view) {
    await view.locator('#examples').selectOption('0');
    await finished(view);
    const before = await frameText(view, '#policies .bars');
    await view.waitForSelector('.param input[type=range]');
    await view.locator('.param input[type=number]').fill('50');
    check('a slider is in the command', (await view.locator('#command').textContent())
        .includes('patience=50'));
    await view.locator('#run').click();
    check('runs with it', (await finished(view)).startsWith('done'),
        await view.locator('#output').textContent());
    check('and differs', await frameText(view, '#policies .bars') !== before);
    await view.locator('#examples').selectOption(String(EXAMPLES.findIndex((one) =>
        one.name === 'shares of hSRTF')));
    await finished(view);
    await view.locator('#params summary').click();
    await view.locator('#params input[aria-label=factor_lo]').waitFor();
    await view.locator('#params input[aria-label=colocate]').uncheck();
    await view.locator('#params input[aria-label=exponent]').fill('150'); // of 200 steps to 4
    await view.locator('#params input[aria-label=factor_lo]').fill('20');
    check('a switch, a slider and a parameter of the model are in the command',
        /hsrtf_starvation\.lua:colocate=false:exponent=3:factor_lo=\d+/.test(
            await view.locator('#command').textContent()),
        await view.locator('#command').textContent());
    await view.locator('#run').click();
    check('and are taken', (await finished(view)).startsWith('done'),
        await view.locator('#output').textContent());
    await view.locator('#examples').selectOption('0');
    await finished(view);
    const endless = 'while true do end return';
    await edit(view, (text) => text.replace('return s:', endless + ' s:'));
    await view.locator('#run').click();
    equal('an endless policy ends', await finished(view), 'failed');
    check('by its budget', /budget/.test(await view.locator('#output').textContent()),
        await view.locator('#output').textContent());
    await edit(view, (text) => text.replace(endless, 'return'));
    await edit(view, (text) => text.replace('return {', 'retrun {'));
    await view.waitForFunction(() => document.querySelector('.wrong')
        && /retrun/.test(document.getElementById('problem').textContent));
    const problem = await view.locator('#problem').textContent();
    check('an error names its line', /patient\.lua:\d+: /.test(problem), problem);
    equal('and is marked there', await view.locator('.wrong').count(), 1);
    await edit(view, (text) => text.replace('retrun {', 'return {'));
    await view.waitForFunction(() => document.getElementById('problem').textContent === '');
}

async function checkStop(view) {
    await view.locator('#workload').fill('zheng:0,slots=100000');
    await view.locator('#replicas').fill('500');
    await view.locator('#run').click();
    await view.waitForFunction(() => /\d/.test(document.getElementById('progress').textContent),
        null, { timeout: 60000 });
    check('progress is shown', /of 1500 runs/.test(await progress(view)), await progress(view));
    await view.locator('#stop').click();
    equal('and it stops', await finished(view), 'stopped');
    await view.locator('#workload').fill('zheng:0');
    await view.locator('#replicas').fill('3');
    await view.locator('#run').click();
    check('and runs again', (await finished(view)).startsWith('done'));
    check('with intervals', (await frameText(view, '.answer')).includes('±'));
}

// What is downloaded is what the native program writes.
async function checkSaved(view) {
    const [saved] = await Promise.all([view.waitForEvent('download'),
        view.locator('#made button', { hasText: 'save result.json' }).click()]);
    const example = EXAMPLES[0];
    const files = Object.assign({}, example.files);
    const words = (await view.locator('#command').textContent()).split(' ').slice(1);
    const there = inNative(files, words.map((word) => word.replace('result.html', 'result.json')),
        'result.json');
    check('a saved result has the bytes of the native program',
        there.made !== null && fs.readFileSync(await saved.path()).equals(there.made),
        words.join(' '));
}

async function checkLink(browser, view, url) {
    await view.locator('#link').click();
    await view.waitForFunction(() => window.location.hash.length > 100);
    const linked = url + await view.evaluate(() => window.location.hash);
    const { view: again, heard } = await open(browser, linked);
    await finished(again);
    equal('a link holds the fields', await again.locator('#replicas').inputValue(), '3');
    equal('and the parameters', await again.locator('#command').textContent(),
        await view.locator('#command').textContent());
    equal('nothing is complained of', heard.join('; '), '');
    await again.close();
}

async function checkPage() {
    const { chromium } = require('playwright-core');
    const server = await serve();
    const url = 'http://127.0.0.1:' + server.address().port + '/';
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM,
        args: ['--no-sandbox'] });
    const begun = Date.now();
    const { view, heard } = await open(browser, url);
    await finished(view);
    await view.frameLocator('#result iframe').locator('h1').waitFor();
    const first = Date.now() - begun;
    await view.context().setOffline(true); // all of it is loaded
    await checkExamples(view);
    await checkEdits(view);
    await checkStop(view);
    await checkSaved(view);
    await view.context().setOffline(false);
    await checkLink(browser, view, url);
    equal('nothing is complained of, and nothing asked for', heard.join('; '), '');
    for (const [width, colorScheme] of [[1280, 'light'], [1280, 'dark'], [390, 'light']]) {
        const { view: other } = await open(browser, url,
            { viewport: { width: width, height: 900 }, colorScheme: colorScheme });
        await finished(other);
        await other.waitForTimeout(500);
        const wide = await other.evaluate(() => document.documentElement.scrollWidth);
        check('fits into ' + width + ' pixels', wide <= width, wide);
        await other.screenshot({ path: path.join(folder, 'seen-' + width + '-' + colorScheme
            + '.png') });
        await other.close();
    }
    await browser.close();
    server.close();
    return first;
}

(async () => {
    await checkBytes();
    const first = process.argv[4] === 'same' ? null : await checkPage();
    const sizes = fs.readdirSync(folder).filter((name) => /\.(js|wasm|css|html)$/.test(name))
        .map((name) => require('zlib').brotliCompressSync(fs.readFileSync(
            path.join(folder, name))).length);
    console.log(passed + ' passed, ' + failed + ' failed; '
        + (sizes.reduce((a, b) => a + b) / 1e6).toFixed(2) + ' MB compressed'
        + (first === null ? '' : ', the first result after ' + first + ' ms'));
    process.exit(failed > 0 ? 1 : 0);
})();
