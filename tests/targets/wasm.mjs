// node wasm.mjs FILE: runs a program of wasm.c and prints what it writes.
import { readFileSync } from "node:fs";

const module = await WebAssembly.compile(readFileSync(process.argv[2]));
const text = [];
const env = {
    machine_write: (at, size) => text.push(Buffer.from(instance.exports.memory.buffer, at, size).toString()),
    machine_exit: (status) => {
        throw new Error("exit " + status);
    },
};
const instance = await WebAssembly.instantiate(module, { env });
let status = 1;
try {
    status = instance.exports.start();
} catch (error) {
    console.error(String(error));
}
process.stdout.write(text.join(""));
process.exitCode = status;
