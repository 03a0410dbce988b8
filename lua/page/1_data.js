// What the page shows, as Lua wrote it: sections of a few kinds, with long lists as columns.
'use strict';

const page = {};

(function () {
    function bytesOf(text) {
        const raw = atob(text);
        const bytes = new Uint8Array(raw.length);
        for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
        return bytes;
    }

    // Integers are differences to the one before, 7 bits a byte, the sign in the lowest bit. They
    // may be larger than what shifts are for.
    function integersOf(bytes, count) {
        const values = new Float64Array(count);
        let at = 0;
        let before = 0;
        for (let i = 0; i < count; i++) {
            let value = 0;
            let weight = 1;
            let byte;
            do {
                byte = bytes[at++];
                value += (byte & 127) * weight;
                weight *= 128;
            } while (byte > 127);
            before += value % 2 === 0 ? value / 2 : -(value + 1) / 2;
            values[i] = before;
        }
        return values;
    }

    function doublesOf(bytes, count) {
        const view = new DataView(bytes.buffer);
        const values = new Float64Array(count);
        for (let i = 0; i < count; i++) values[i] = view.getFloat64(8 * i, true);
        return values;
    }

    // A number that is missing is NaN.
    page.column = function (column) {
        const bytes = bytesOf(column.data);
        return column.type === 'integers' ? integersOf(bytes, column.count)
            : doublesOf(bytes, column.count);
    };

    page.data = JSON.parse(document.getElementById('data').textContent);

    // Texts enter the page as texts, never as markup.
    page.element = function (name, properties, children) {
        const made = document.createElement(name);
        for (const key of Object.keys(properties || {})) {
            if (key === 'class') made.className = properties[key];
            else if (key in made && key !== 'list') made[key] = properties[key];
            else made.setAttribute(key, properties[key]);
        }
        for (const child of [].concat(children || [])) made.append(child);
        return made;
    };

    const FEW = 6;
    page.number = function (value) {
        if (!isFinite(value)) return '–';
        return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(FEW)));
    };
})();
