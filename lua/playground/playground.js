// The playground: files, a form, and the program in a worker, so that the page never waits for it.
'use strict';

(function () {
    const CHECK_MS = 400; // after the last key, before the file is checked
    const STEPS = 200; // of a slider
    const WIDE = 100; // of a range: sliders of such parameters are logarithmic
    const element = (id) => document.getElementById(id);

    function make(name, properties, children) {
        const made = Object.assign(document.createElement(name), properties);
        made.append(...(children || []));
        return made;
    }

    // ---- the program --------------------------------------------------------------------------

    let wasm = null;
    let script = null; // of workers
    let last = 0;

    async function load() {
        const responses = await Promise.all(['pinion.wasm', 'pinion.js', 'worker.js'].map(
            async (name) => {
                const response = await fetch(name);
                if (!response.ok) throw new Error(name + ': ' + response.status);
                return response;
            }));
        wasm = await WebAssembly.compile(await responses[0].arrayBuffer());
        script = URL.createObjectURL(new Blob([await responses[1].text(), '\n',
            await responses[2].text()], { type: 'text/javascript' }));
    }

    // A worker runs one command after the other; one that is stopped is replaced.
    class Program {
        start() {
            this.worker = new Worker(script);
            this.waiting = new Map();
            this.worker.onmessage = (event) => {
                const { id, progress } = event.data;
                const entry = this.waiting.get(id);
                if (!entry) return;
                if (progress !== undefined) {
                    entry.progress(progress);
                } else {
                    this.waiting.delete(id);
                    entry.done(event.data);
                }
            };
            this.worker.postMessage({ wasm: wasm });
        }

        run(files, args, progress) {
            if (!this.worker) this.start();
            return new Promise((done) => {
                last += 1;
                this.waiting.set(last, { done: done, progress: progress || (() => {}) });
                this.worker.postMessage({ id: last, files: files, args: args });
            });
        }

        stop() {
            if (!this.worker) return;
            this.worker.terminate();
            this.worker = null;
            for (const entry of this.waiting.values()) entry.done({ status: 'stopped' });
        }
    }

    const runner = new Program();
    const checker = new Program();

    // ---- the experiment -----------------------------------------------------------------------

    // files by name; workload, policies, settings, replicas, seed; params by file and name; a
    // script to run in place of a comparison.
    let experiment = null;
    let shown = null; // the file in the editor
    let described = {}; // policies by file, as the program describes them

    const editor = CodeMirror.fromTextArea(element('editor'), { mode: 'lua', lineNumbers: true,
        indentUnit: 4, extraKeys: { 'Ctrl-Enter': () => start(), 'Cmd-Enter': () => start(),
            Tab: (cm) => cm.execCommand('insertSoftTab'),
            Esc: () => element('run').focus() } });

    const FIELDS = ['workload', 'policies', 'settings', 'replicas', 'seed'];

    const copyOf = (made) => JSON.parse(JSON.stringify(made));

    function names() { return Object.keys(experiment.files); }

    // A policy with its parameters, as the command line has it.
    function policyWord(name) {
        const params = Object.entries((experiment.params || {})[name] || {});
        return [name].concat(params.map(([param, value]) => param + '=' + value)).join(':');
    }

    function commandOf(made) {
        if (experiment.script) return ['run', experiment.script];
        const words = ['compare', '--workload', experiment.workload, '--policies',
            experiment.policies.split(',').map((name) => policyWord(name.trim())).join(',')];
        for (const setting of experiment.settings.split(/\s+/)) {
            if (setting) words.push('--set', setting);
        }
        if (Number(experiment.replicas) > 1) words.push('--replicas', String(experiment.replicas));
        if (experiment.model) words.push('--model', experiment.model);
        return words.concat('--seed', String(experiment.seed || 1), '--output',
            made || 'result.html');
    }

    const quoted = (word) => (/^[\w.,:=/-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''")
        + "'");

    // ---- what is shown ------------------------------------------------------------------------

    function showTabs() {
        element('tabs').replaceChildren(...names().map((name) => {
            const tab = make('button', { type: 'button', textContent: name,
                onclick: () => showFile(name) });
            tab.setAttribute('aria-current', String(name === shown));
            return tab;
        }), make('button', { type: 'button', textContent: '+', title: 'Add a file',
            onclick: addFile }), make('button', { type: 'button', textContent: 'save',
            title: 'Download this file',
            onclick: () => download(shown, experiment.files[shown], 'text/x-lua') }));
    }

    function showFile(name) {
        shown = name;
        editor.swapDoc(CodeMirror.Doc(experiment.files[name], 'lua'));
        showTabs();
        check();
    }

    function addFile() {
        let number = 2;
        while ('policy' + number + '.lua' in experiment.files) number += 1;
        const name = 'policy' + number + '.lua';
        experiment.files[name] = experiment.files[shown];
        if (!experiment.script) element('policies').value = experiment.policies += ',' + name;
        showFile(name);
    }

    function showCommand() {
        element('command').textContent = 'pinion ' + commandOf().map(quoted).join(' ');
    }

    function show(made) {
        experiment = made;
        described = {};
        for (const field of FIELDS) {
            element(field).value = made[field] === undefined ? '' : made[field];
            element(field).parentElement.hidden = Boolean(made.script);
        }
        element('about').textContent = made.about || '';
        showFile(names()[0]);
        showParams();
        showCommand();
    }

    function download(name, content, type) {
        const url = URL.createObjectURL(new Blob([content], { type: type }));
        make('a', { href: url, download: name }).click();
        setTimeout(() => URL.revokeObjectURL(url), 1000);
    }

    // ---- parameters ---------------------------------------------------------------------------

    // A place on a slider for a value, and back: logarithmic where the range is wide.
    function scaleOf(param) {
        const low = param.low;
        const high = Math.min(param.high, Math.max(10 * Math.abs(param.default), low + 1000));
        const wide = high - low > WIDE;
        const warp = (value) => (wide ? Math.log1p(value - low) : value - low);
        const back = (place) => (wide ? Math.expm1(place) : place) + low;
        const round = (value) => (param.float ? Number(value.toPrecision(3)) : Math.round(value));
        return { place: (value) => Math.round(STEPS * warp(value) / warp(high)),
            value: (place) => Math.min(param.high,
                Math.max(param.low, round(back(place / STEPS * warp(high))))) };
    }

    function changeParam(file, param, value) {
        experiment.params = experiment.params || {};
        const own = experiment.params[file] = experiment.params[file] || {};
        if (String(value) === String(param.default)) delete own[param.name];
        else own[param.name] = value;
        showCommand();
    }

    function controlOf(file, param) {
        const value = ((experiment.params || {})[file] || {})[param.name];
        const now = value === undefined ? param.default : value;
        if (typeof param.default === 'boolean') {
            return [make('input', { type: 'checkbox', checked: String(now) === 'true',
                ariaLabel: param.name,
                onchange: (event) => changeParam(file, param, event.target.checked) })];
        }
        if (param.choices) {
            return [make('select', { ariaLabel: param.name,
                onchange: (event) => changeParam(file, param, event.target.value) },
            param.choices.map((choice) => make('option', { value: choice, textContent: choice,
                selected: String(choice) === String(now) })))];
        }
        const scale = scaleOf(param);
        const field = make('input', { type: 'number', value: now, step: 'any',
            oninput: () => {
                slider.value = scale.place(Number(field.value));
                changeParam(file, param, field.value);
            } });
        const slider = make('input', { type: 'range', min: 0, max: STEPS,
            value: scale.place(Number(now)), ariaLabel: param.name,
            oninput: () => {
                field.value = scale.value(Number(slider.value));
                changeParam(file, param, field.value);
            } });
        return [slider, field];
    }

    // Sliders and switches of the policies among the files: first what a file itself declares, then
    // the parameters that its model has for every policy.
    function showParams() {
        const made = { own: [], model: [] };
        for (const file of names()) {
            for (const param of (described[file] || { params: [] }).params) {
                if (typeof param.default !== 'number' && !param.choices) continue;
                const isOwn = new RegExp('\\b' + param.name + '\\b').test(experiment.files[file]);
                made[isOwn ? 'own' : 'model'].push(make('div', { className: 'param' }, [param.name,
                    make('div', {}, controlOf(file, param)), make('span', { className: 'doc',
                        textContent: file + ': ' + param.doc })]));
            }
        }
        const rest = make('details', { hidden: made.model.length === 0 }, [make('summary', {
            textContent: made.model.length + ' parameters of the model' }), ...made.model]);
        element('params').replaceChildren(...made.own, rest);
    }

    // ---- checking -----------------------------------------------------------------------------

    let timer = 0;
    let marked = [];

    // Marks the line that a message names.
    function showProblem(message) {
        for (const line of marked) editor.removeLineClass(line, 'background', 'wrong');
        marked = [];
        element('problem').textContent = message;
        const place = /^(?:pinion: )?([^\s:]+):(\d+):/.exec(message);
        if (place && place[1] === shown) {
            marked = [editor.addLineClass(Number(place[2]) - 1, 'background', 'wrong')];
        }
    }

    // Describes the file as a policy or a workload, which also finds what is wrong with it.
    async function check() {
        const name = shown;
        const isWorkload = (experiment.workload || '').split(',')[0] === name;
        if (name === experiment.script) {
            showProblem('');
            return;
        }
        const result = await checker.run(experiment.files, isWorkload
            ? ['workload', experiment.workload, '--format', 'json']
            : ['policies', name, '--format', 'json']);
        if (name !== shown) return;
        showProblem(result.status === 0 ? '' : result.messages || '');
        if (result.status !== 0 || isWorkload) return;
        const [found] = JSON.parse(result.output).policies;
        if (JSON.stringify(found) === JSON.stringify(described[name])) return;
        described[name] = found;
        showParams();
    }

    editor.on('change', () => {
        if (!experiment || editor.getValue() === experiment.files[shown]) return;
        experiment.files[shown] = editor.getValue();
        clearTimeout(timer);
        timer = setTimeout(check, CHECK_MS);
    });

    // ---- running ------------------------------------------------------------------------------

    function setBusy(busy, text) {
        element('run').disabled = busy;
        element('stop').hidden = !busy;
        element('progress').textContent = text;
    }

    const TYPES = { html: 'text/html', svg: 'image/svg+xml', json: 'application/json',
        csv: 'text/csv', lua: 'text/x-lua' };
    const textOf = (bytes) => new TextDecoder().decode(bytes);

    // Shows a page in a frame that may run its own scripts and nothing else, or a picture, or text.
    function open(name, bytes) {
        let shape;
        if (name.endsWith('.html')) {
            shape = make('iframe', { title: name, srcdoc: textOf(bytes) });
            shape.setAttribute('sandbox', 'allow-scripts');
        } else if (name.endsWith('.svg')) {
            shape = make('img', { alt: name, src: URL.createObjectURL(
                new Blob([bytes], { type: TYPES.svg })) });
        } else {
            shape = make('pre', { textContent: textOf(bytes) });
        }
        element('result').replaceChildren(shape);
    }

    const typeOf = (name) => TYPES[name.split('.').pop()] || 'text/plain';

    // Runs the same once more for another form of the result, which is downloaded.
    async function saveAs(name, files, args) {
        setBusy(true, 'running');
        const result = await runner.run(files, args,
            (text) => { element('progress').textContent = text; });
        setBusy(false, result.status === 0 ? 'saved ' + name : 'no ' + name);
        if (result.status === 0) download(name, result.made[name], typeOf(name));
    }

    function showMade(made) {
        const list = Object.keys(made).sort();
        const files = copyOf(experiment.files);
        const others = 'result.html' in made ? ['result.json', 'result.csv'] : [];
        element('made').replaceChildren(...list.flatMap((name) => [
            make('button', { type: 'button', textContent: name,
                onclick: () => open(name, made[name]) }),
            make('button', { type: 'button', textContent: 'save', title: 'Download ' + name,
                onclick: () => download(name, made[name], typeOf(name)) })]),
        ...others.map((name) => {
            const args = commandOf(name); // as it was run, whatever is edited later
            return make('button', { type: 'button', textContent: 'save ' + name,
                onclick: () => saveAs(name, files, args) });
        }));
        const first = list.find((name) => name.endsWith('.html'))
            || list.find((name) => name.endsWith('.svg'));
        if (first) open(first, made[first]);
        else element('result').replaceChildren();
    }

    async function start() {
        if (element('run').disabled) return;
        setBusy(true, 'running');
        const begun = performance.now();
        const result = await runner.run(experiment.files, commandOf(),
            (text) => { element('progress').textContent = text; });
        if (result.status === 'stopped') {
            setBusy(false, 'stopped');
            return;
        }
        setBusy(false, result.status === 0
            ? 'done in ' + ((performance.now() - begun) / 1000).toFixed(1) + ' s' : 'failed');
        const text = [result.messages, result.output].filter(Boolean).join('\n');
        element('output').textContent = text;
        element('output').hidden = text === '';
        showProblem(result.status === 0 ? '' : result.messages);
        showMade(result.made);
    }

    // ---- links --------------------------------------------------------------------------------

    async function squeezed(bytes, stream) {
        return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream))
            .arrayBuffer());
    }

    async function linkOf(made) {
        const bytes = await squeezed(new TextEncoder().encode(JSON.stringify(made)),
            new CompressionStream('deflate-raw'));
        return btoa(String.fromCharCode(...bytes)).replace(/\+/g, '-').replace(/\//g, '_')
            .replace(/=+$/, '');
    }

    async function fromLink(text) {
        const bytes = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')),
            (letter) => letter.charCodeAt(0));
        const made = JSON.parse(textOf(await squeezed(bytes,
            new DecompressionStream('deflate-raw'))));
        if (typeof made.files !== 'object' || Object.keys(made.files).length === 0) {
            throw new Error('no files');
        }
        return made;
    }

    async function copyLink() {
        window.location.hash = await linkOf(experiment);
        const written = await navigator.clipboard.writeText(window.location.href)
            .then(() => true, () => false);
        element('progress').textContent = written ? 'link copied' : 'the link is in the address';
    }

    // ---- all of it ----------------------------------------------------------------------------

    const examples = window.EXAMPLES;

    for (const field of FIELDS) {
        element(field).oninput = () => {
            experiment[field] = element(field).value;
            showCommand();
        };
    }
    element('examples').append(...examples.map((one, i) => make('option', { value: i,
        textContent: one.name })));
    element('examples').onchange = (event) => {
        show(copyOf(examples[Number(event.target.value)]));
        start();
    };
    element('run').onclick = start;
    element('stop').onclick = () => { runner.stop(); };
    element('link').onclick = copyLink;

    const system = window.matchMedia('(prefers-color-scheme: dark)');
    let dark = system.matches;
    function paint() { document.documentElement.dataset.theme = dark ? 'dark' : 'light'; }
    element('theme').onclick = () => {
        dark = !dark;
        paint();
    };
    paint();

    async function begin() {
        element('run').disabled = true;
        await load();
        let made = copyOf(examples[0]);
        const text = window.location.hash.slice(1);
        if (text) {
            made = await fromLink(text).catch(() => {
                element('progress').textContent = 'the link is not whole';
                return made;
            });
        }
        element('run').disabled = false;
        show(made);
        start();
    }

    begin().catch((error) => {
        element('progress').textContent = window.location.protocol === 'file:'
            ? 'open this page from a web server, such as `python3 -m http.server`'
            : 'not loaded: ' + error.message;
    });
})();
