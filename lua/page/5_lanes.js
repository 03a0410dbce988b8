// Bars on rows, such as tasks on slots, drawn on a canvas: bar by bar where there are few in sight,
// as the mean colour of every pixel where there are many, so that a frame takes as long as its
// pixels and the bars in sight, however they lie.
'use strict';

(function () {
    const BARS_MANY = 6000; // in sight: from here on by pixels
    const MARK = 3; // pixels of the mark of an attempt that was in vain

    // Bars by row, then by time, with where each row begins.
    page.lanes = function (rows, bars) {
        const count = bars.row.length;
        const begins = new Uint32Array(rows + 1);
        for (let i = 0; i < count; i++) begins[bars.row[i] + 1]++;
        for (let r = 0; r < rows; r++) begins[r + 1] += begins[r];
        const order = new Uint32Array(count);
        const next = begins.slice(0, rows);
        const byTime = Uint32Array.from(bars.row.keys());
        if (!isSorted(bars.start)) byTime.sort((a, b) => bars.start[a] - bars.start[b] || a - b);
        for (const i of byTime) order[next[bars.row[i]]++] = i;
        const pick = (values, Kind) => Kind.from(order, (i) => values[i]);
        const made = { rows: rows, begins: begins, count: count,
            start: pick(bars.start, Float64Array), finish: pick(bars.finish, Float64Array),
            cls: pick(bars.cls, Uint8Array), job: pick(bars.job, Uint32Array),
            row: pick(bars.row, Uint32Array), fate: pick(bars.fate, Uint8Array), source: order };
        made.vain = Uint32Array.from(made.fate.keys()).filter((i) => made.fate[i] > 0);
        return made;
    };

    function isSorted(values) {
        for (let i = 1; i < values.length; i++) if (values[i] < values[i - 1]) return false;
        return true;
    }

    // The first bar of a row that ends behind a time.
    function firstBehind(lanes, row, time) {
        let low = lanes.begins[row];
        let high = lanes.begins[row + 1];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (lanes.finish[middle] > time) high = middle; else low = middle + 1;
        }
        return low;
    }

    // The bar of a row at a time, or -1.
    page.barAt = function (lanes, row, time) {
        if (row < 0 || row >= lanes.rows) return -1;
        const i = firstBehind(lanes, row, time);
        return i < lanes.begins[row + 1] && lanes.start[i] <= time ? i : -1;
    };

    // ---- bar by bar ---------------------------------------------------------------------------

    function rowsInSight(lanes, view) {
        return [Math.max(0, Math.floor(view.top)), Math.min(lanes.rows, Math.ceil(view.bottom))];
    }

    function countInSight(lanes, view, most) {
        const [from, to] = rowsInSight(lanes, view);
        let sum = 0;
        for (let row = from; row < to && sum <= most; row++) {
            const first = firstBehind(lanes, row, view.from);
            let low = first;
            let high = lanes.begins[row + 1];
            while (low < high) {
                const middle = (low + high) >> 1;
                if (lanes.start[middle] >= view.to) high = middle; else low = middle + 1;
            }
            sum += low - first;
        }
        return sum;
    }

    function drawBars(context, lanes, view, size, look) {
        const scaleX = size.width / (view.to - view.from);
        const scaleY = size.height / (view.bottom - view.top);
        const gap = scaleY > 6 ? 1 : 0;
        const [from, to] = rowsInSight(lanes, view);
        for (let row = from; row < to; row++) {
            const y = (row - view.top) * scaleY;
            const end = lanes.begins[row + 1];
            for (let i = firstBehind(lanes, row, view.from); i < end; i++) {
                if (lanes.start[i] >= view.to) break;
                if (look.hidden[lanes.cls[i]]) continue;
                const x = (Math.max(lanes.start[i], view.from) - view.from) * scaleX;
                const right = (Math.min(lanes.finish[i], view.to) - view.from) * scaleX;
                const isChosen = lanes.job[i] === look.chosen;
                context.globalAlpha = look.chosen < 0 || isChosen ? 1 : 0.35;
                context.fillStyle = look.colours[lanes.cls[i]];
                context.fillRect(x, y, Math.max(right - x - (right - x > 3 ? 0.5 : 0), 0.5),
                    Math.max(scaleY - gap, 0.5));
            }
        }
        context.globalAlpha = 1;
    }

    // ---- by pixels ----------------------------------------------------------------------------

    let sums = new Float32Array(0); // red, green, blue and what is covered, of each pixel

    // Adds a colour to the pixels of a line from x to right, with this weight.
    function addSpan(line, x, right, weight, colour) {
        let pixel = Math.floor(x);
        const last = Math.min(Math.ceil(right), line.width);
        for (; pixel < last; pixel++) {
            const part = (Math.min(right, pixel + 1) - Math.max(x, pixel)) * weight;
            const at = line.at + 4 * pixel;
            sums[at] += colour[0] * part;
            sums[at + 1] += colour[1] * part;
            sums[at + 2] += colour[2] * part;
            sums[at + 3] += part;
        }
    }

    function addRow(lanes, row, view, size, look, scaleX, scaleY) {
        const top = Math.max((row - view.top) * scaleY, 0);
        const bottom = Math.min((row + 1 - view.top) * scaleY, size.height);
        const end = lanes.begins[row + 1];
        const first = firstBehind(lanes, row, view.from);
        let full = -1; // a line of pixels that this row alone fills
        for (let y = Math.floor(top); y < Math.ceil(bottom); y++) {
            const weight = Math.min(bottom, y + 1) - Math.max(top, y);
            const line = { at: 4 * y * size.width, width: size.width };
            if (weight === 1 && full >= 0) {
                sums.copyWithin(line.at, full, full + 4 * size.width);
                continue;
            }
            if (weight === 1) full = line.at;
            for (let i = first; i < end && lanes.start[i] < view.to; i++) {
                if (look.hidden[lanes.cls[i]]) continue;
                const dim = look.chosen < 0 || lanes.job[i] === look.chosen ? 1 : 0.35;
                addSpan(line, Math.max((lanes.start[i] - view.from) * scaleX, 0),
                    (lanes.finish[i] - view.from) * scaleX, weight * dim,
                    look.channels[lanes.cls[i]]);
            }
        }
    }

    function drawPixels(context, lanes, view, size, look) {
        const pixels = size.width * size.height;
        if (sums.length < 4 * pixels) sums = new Float32Array(4 * pixels);
        sums.fill(0, 0, 4 * pixels);
        const scaleX = size.width / (view.to - view.from);
        const scaleY = size.height / (view.bottom - view.top);
        const [from, to] = rowsInSight(lanes, view);
        for (let row = from; row < to; row++) {
            addRow(lanes, row, view, size, look, scaleX, scaleY);
        }
        const image = context.createImageData(size.width, size.height);
        const out = image.data;
        for (let at = 0; at < 4 * pixels; at += 4) {
            const covered = sums[at + 3];
            if (covered === 0) continue;
            out[at] = sums[at] / covered;
            out[at + 1] = sums[at + 1] / covered;
            out[at + 2] = sums[at + 2] / covered;
            out[at + 3] = Math.min(255, 255 * covered);
        }
        context.putImageData(image, 0, 0);
    }

    // ---- what must be seen --------------------------------------------------------------------

    function drawVain(context, lanes, view, size, look) {
        const scaleX = size.width / (view.to - view.from);
        const scaleY = size.height / (view.bottom - view.top);
        context.fillStyle = look.vain;
        for (const i of lanes.vain) {
            if (lanes.finish[i] < view.from || lanes.start[i] > view.to
                || look.hidden[lanes.cls[i]]) continue;
            const y = (lanes.row[i] - view.top) * scaleY;
            if (y > size.height || y + scaleY < 0) continue;
            context.fillRect((lanes.finish[i] - view.from) * scaleX - MARK, y, MARK,
                Math.max(scaleY, MARK));
        }
    }

    // Draws what lies in sight: {from, to} of time, {top, bottom} of rows. Returns how many bars
    // that are, at most one more than are drawn one by one.
    page.drawLanes = function (context, lanes, view, size, look) {
        const inSight = countInSight(lanes, view, BARS_MANY);
        const draw = inSight > BARS_MANY ? drawPixels : drawBars;
        draw(context, lanes, view, size, look);
        drawVain(context, lanes, view, size, look);
        return inSight;
    };
})();
