// Runs commands of the program, each in a fresh instance: files go in, messages and files come out.
// Behind pinion.js in one text.
'use strict';

const HOME = '/home';
let wasm = null; // compiled once, by the page

// What the program writes, character by character: lines, and progress, which a line that begins
// with a return and "erase" is.
function listener(line, progress) {
    let bytes = [];
    const decoder = new TextDecoder();
    return (byte) => {
        if (byte === 10) {
            line(decoder.decode(new Uint8Array(bytes)).replace(/^\r\x1b\[K/, ''));
            bytes = [];
        } else if (byte === 13 && bytes.length > 0) {
            progress(decoder.decode(new Uint8Array(bytes)).replace(/^\r?\x1b\[K/, ''));
            bytes = [byte];
        } else if (byte !== null) {
            bytes.push(byte);
        }
    };
}

async function run({ id, files, args }) {
    const output = [];
    const messages = [];
    const program = await Pinion({
        instantiateWasm: (imports, done) => {
            WebAssembly.instantiate(wasm, imports).then(done);
            return {};
        },
        putOutput: listener((line) => output.push(line), () => {}),
        putMessage: listener((line) => messages.push(line),
            (text) => postMessage({ id: id, progress: text })),
    });
    program.FS.mkdirTree(HOME);
    program.FS.chdir(HOME);
    for (const name of Object.keys(files)) program.FS.writeFile(name, files[name]);
    let status;
    try {
        status = program.callMain(args);
    } catch (error) { // the program's exit, or a defect
        status = typeof error.status === 'number' ? error.status : String(error);
    }
    const made = {};
    for (const name of program.FS.readdir(HOME)) {
        if (name in files || name.startsWith('.')) continue;
        if (program.FS.isFile(program.FS.stat(name).mode)) made[name] = program.FS.readFile(name);
    }
    postMessage({ id: id, status: status, output: output.join('\n'),
        messages: messages.filter((line) => line !== '').join('\n'), made: made });
}

onmessage = (event) => {
    if (event.data.wasm) wasm = event.data.wasm;
    else run(event.data);
};
