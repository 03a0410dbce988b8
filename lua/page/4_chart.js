// Charts, drawn by dygraphs: distributions, lines with bands, points, steps over time.
'use strict';

(function () {
    // Of the library's plugins those that make no markup of texts.
    Dygraph.PLUGINS = [Dygraph.Plugins.Axes, Dygraph.Plugins.Grid];

    const PAN = 0.2; // of what is seen, for each key
    const ZOOM = 1.5;
    const MARGIN = 0.02; // beside points, of what they cover
    const LETTER = 8; // pixels, at most
    const LETTERS = 8; // of a label that is no large number
    const POINTS_FEW = 200; // of each series: they are drawn larger
    const POINTS_MANY = 40000; // in one picture, before the reader asks for more

    // The same policy has one colour in all charts.
    const lookOf = (series, s) => (series.look === undefined ? s : series.look);

    // ---- data ---------------------------------------------------------------------------------

    const divided = (values, by) => (by ? values.map((value) => value / by) : values);

    function columnsOf(chart, series) {
        const made = { x: divided(page.column(series.x), chart.x.scale),
            y: divided(page.column(series.y), chart.y.scale) };
        if (series.low) {
            made.low = divided(page.column(series.low), chart.y.scale);
            made.high = divided(page.column(series.high), chart.y.scale);
        }
        return made;
    }

    function valueOf(columns, i, banded) {
        const y = isNaN(columns.y[i]) ? null : columns.y[i];
        if (!banded) return y;
        if (y === null || !columns.low) return [y, y, y];
        const known = !isNaN(columns.low[i]);
        return [known ? columns.low[i] : y, y, known ? columns.high[i] : y];
    }

    // Every point is a row of its own; rows without any keep them off the edges.
    function rowsOfPoints(all, logX) {
        const rows = [];
        all.forEach((columns, s) => {
            for (let i = 0; i < columns.x.length; i++) {
                const row = new Array(all.length + 1).fill(null);
                row[0] = columns.x[i];
                row[s + 1] = valueOf(columns, i, false);
                rows.push(row);
            }
        });
        rows.sort((a, b) => a[0] - b[0]);
        if (rows.length === 0) return rows;
        const low = rows[0][0];
        const high = rows[rows.length - 1][0];
        const beside = (x) => [x].concat(all.map(() => null));
        const margin = MARGIN * (high - low) || 1;
        rows.unshift(beside(logX ? low * Math.pow(low / high || 1, MARGIN) / (1 + MARGIN)
            : low - margin));
        rows.push(beside(logX ? high * Math.pow(high / low || 1, MARGIN) * (1 + MARGIN)
            : high + margin));
        return rows;
    }

    // All series side by side. Of several values at one place the last stands: a step.
    function rowsOfLines(all, banded) {
        const places = new Set();
        for (const columns of all) for (const x of columns.x) places.add(x);
        const sorted = Float64Array.from(places).sort();
        const next = all.map(() => 0);
        const rows = [];
        for (const x of sorted) {
            const row = [x];
            all.forEach((columns, s) => {
                let value = banded ? [null, null, null] : null;
                while (next[s] < columns.x.length && columns.x[next[s]] === x) {
                    value = valueOf(columns, next[s]++, banded);
                }
                row.push(value);
            });
            rows.push(row);
        }
        return rows;
    }

    // ---- options ------------------------------------------------------------------------------

    function ticksOfNames(names) {
        // The library takes labels for markup.
        return () => names.map((name, i) => ({ v: i + 1, label: name.replace(/[<>&"]/g, ' ') }));
    }

    // Of ticks, which are round numbers, however far from 0.
    const tickText = (value) => String(Number(value.toPrecision(12)));

    // Pixels for labels up to this number; the library cuts off what does not fit.
    function roomFor(columns, names) {
        let most = 0;
        for (const name of names) {
            for (const value of columns[name] || []) most = Math.max(most, Math.abs(value) || 0);
        }
        return LETTER * Math.max(LETTERS, page.number(Math.ceil(most)).length + 2);
    }

    function roomsOf(all) {
        return { x: Math.max(...all.map((columns) => roomFor(columns, ['x']))),
            y: Math.max(...all.map((columns) => roomFor(columns, ['y', 'high']))) };
    }

    function axesOf(chart, state, rooms, width) {
        const ink = page.ink('faint');
        const common = { gridLineColor: ink, axisLineColor: ink, axisLabelFontSize: 12 };
        const x = Object.assign({ logscale: state.logX, axisLabelFormatter: tickText,
            axisLabelWidth: rooms.x, pixelsPerLabel: rooms.x + LETTER }, common);
        if (chart.x.names) {
            x.ticker = ticksOfNames(chart.x.names);
            x.drawGrid = false;
            x.axisLabelWidth = Math.floor((width - rooms.y) / chart.x.names.length) - LETTER;
            delete x.axisLabelFormatter;
        }
        return { x: x, y: Object.assign({ axisLabelFormatter: tickText,
            axisLabelWidth: rooms.y }, common) };
    }

    function rangeOf(y) {
        const scale = y.scale || 1;
        const room = 0.05 * (y.to - y.from) / scale || 1;
        return [y.from < 0 ? y.from / scale - room : 0, y.to / scale + room];
    }

    function optionsOf(chart, series, state, banded, axes) {
        const made = {
            labels: ['x'].concat(series.map((_, s) => 's' + s)),
            colors: series.map((one, s) => page.lineColour(lookOf(one, s))),
            series: Object.fromEntries(series.map((one, s) => ['s' + s,
                { strokePattern: page.dash(lookOf(one, s)) }])),
            visibility: state.visible,
            legend: 'never',
            logscale: state.logY,
            axes: axes,
            stepPlot: Boolean(chart.step),
            customBars: banded,
            connectSeparatedPoints: true,
            strokeWidth: chart.points ? 0 : 2,
            drawPoints: Boolean(chart.points || banded),
            pointSize: chart.points && !state.few ? 1.5 : 3,
            highlightCircleSize: 4,
            includeZero: !state.logY && !chart.points,
            xRangePad: chart.step || chart.points || state.logX ? 0 : 12,
            yRangePad: 6,
            fillAlpha: 0.18,
        };
        // Panels side by side have one axis.
        if (chart.y.to !== undefined && !state.logY) made.valueRange = rangeOf(chart.y);
        if (chart.x.names) made.dateWindow = [0.5, chart.x.names.length + 0.5];
        return made;
    }

    // ---- around a plot ------------------------------------------------------------------------

    function legendOf(series, state, change) {
        const values = [];
        const list = page.element('ul', { class: 'legend' });
        const swatches = [];
        series.forEach((one, s) => {
            const box = page.element('input', { type: 'checkbox', checked: state.visible[s] });
            box.addEventListener('change', () => {
                state.visible[s] = box.checked;
                change(s);
            });
            const swatch = page.element('span', { class: 'swatch' });
            const value = page.element('span', { class: 'value' });
            swatches.push(swatch);
            values.push(value);
            list.append(page.element('li', {}, page.element('label', {},
                [box, swatch, one.name, value])));
        });
        function paint() {
            swatches.forEach((swatch, s) => {
                swatch.style.background = page.swatch(lookOf(series[s], s));
            });
        }
        paint();
        return { list: list, values: values, paint: paint };
    }

    function checkbox(text, checked, change) {
        const box = page.element('input', { type: 'checkbox', checked: checked });
        box.addEventListener('change', () => change(box.checked));
        return page.element('label', { class: 'option' }, [box, text]);
    }

    // Arrows move, + and - zoom, 0 shows all.
    function addKeys(plot, graph) {
        plot.addEventListener('keydown', (event) => {
            const shown = graph().xAxisRange();
            const width = shown[1] - shown[0];
            const moves = { ArrowLeft: -PAN * width, ArrowRight: PAN * width };
            let to = null;
            if (event.key in moves) {
                to = [shown[0] + moves[event.key], shown[1] + moves[event.key]];
            } else if (event.key === '+' || event.key === '-') {
                const half = width / 2 * (event.key === '+' ? 1 / ZOOM : ZOOM);
                const middle = (shown[0] + shown[1]) / 2;
                to = [middle - half, middle + half];
            } else if (event.key === '0') {
                graph().resetZoom();
                event.preventDefault();
            }
            if (to) {
                graph().updateOptions({ dateWindow: to });
                event.preventDefault();
            }
        });
    }

    function describe(chart, panel) {
        return chart.y.label + ' over ' + chart.x.label
            + (panel.title ? ', ' + panel.title : '') + ': '
            + panel.series.map((series) => series.name).join(', ')
            + '. Arrow keys move, plus and minus zoom, 0 shows all.';
    }

    // ---- a chart ------------------------------------------------------------------------------

    function firstVisible(chart, all) {
        let sum = 0;
        return all.map((columns, s) => {
            sum += columns.x.length;
            return !chart.points || s === 0 || sum <= POINTS_MANY;
        });
    }

    // One plot of a chart.
    class Panel {
        constructor(chart, panel, state, legend) {
            this.chart = chart;
            this.series = panel.series;
            this.state = state;
            this.legend = legend;
            this.all = panel.columns;
            this.banded = this.all.some((columns) => columns.low);
            this.rooms = roomsOf(this.all);
            this.graph = null;
            this.plot = page.element('div', { class: 'plot', tabIndex: 0, role: 'img',
                'aria-label': describe(chart, panel) });
            this.element = page.element('div', { class: 'panel' }, (panel.title
                ? [page.element('div', { class: 'caption' }, panel.title)] : []).concat([
                page.element('div', { class: 'axis' }, chart.y.label), this.plot,
                page.element('div', { class: 'axis under' }, chart.x.label)]));
            addKeys(this.plot, () => this.graph);
        }

        clearValues() { for (const value of this.legend().values) value.textContent = ''; }

        showValues(x, points) {
            this.clearValues();
            const names = this.chart.x.names;
            for (const point of points) {
                this.legend().values[Number(point.name.slice(1))].textContent =
                    page.number(point.yval) + ' at ' + (names ? names[Math.round(x) - 1] || ''
                        : page.number(x));
            }
        }

        // Points that are not shown are not even given to the library.
        rebuild() {
            const { chart, state, all } = this;
            const shown = chart.points
                ? all.map((columns, s) => (state.visible[s] ? columns : { x: [], y: [] })) : all;
            const rows = chart.points ? rowsOfPoints(shown, state.logX)
                : rowsOfLines(shown, this.banded);
            const options = optionsOf(chart, this.series, state, this.banded,
                axesOf(chart, state, this.rooms, this.plot.clientWidth));
            options.highlightCallback = (_, x, points) => this.showValues(x, points);
            options.unhighlightCallback = () => this.clearValues();
            if (this.graph) this.graph.destroy();
            this.graph = new Dygraph(this.plot, rows, options);
        }
    }

    page.chart = function (chart) {
        const panels = chart.panels || [{ series: chart.series }];
        for (const panel of panels) {
            panel.columns = panel.series.map((series) => columnsOf(chart, series));
        }
        const state = { logX: Boolean(chart.x.log), logY: Boolean(chart.y.log),
            visible: firstVisible(chart, panels[0].columns),
            few: panels[0].columns.every((columns) => columns.x.length <= POINTS_FEW) };
        const plots = panels.map((panel) => new Panel(chart, panel, state, () => legend));
        const rebuild = () => plots.forEach((plot) => plot.rebuild());
        const legend = legendOf(panels[0].series, state, rebuild);
        const tools = page.element('div', { class: 'tools' });
        if (chart.x.may_log) {
            tools.append(checkbox('logarithmic x', state.logX,
                (on) => { state.logX = on; rebuild(); }));
        }
        if (chart.y.may_log) {
            tools.append(checkbox('logarithmic y', state.logY,
                (on) => { state.logY = on; rebuild(); }));
        }
        const graph = () => plots[0].graph;
        page.onTheme(() => {
            legend.paint();
            if (graph()) rebuild();
        });
        return { element: page.element('div', { class: 'chart' }, [tools,
            page.element('div', { class: panels.length > 1 ? 'panels' : '' },
                plots.map((plot) => plot.element)), legend.list]),
        show: () => { if (!graph()) rebuild(); },
        graph: graph, graphs: () => plots.map((plot) => plot.graph) };
    };

    page.charts = (section) => page.choices(section, (entry) => page.chart(entry.chart));
    page.shown = {};
})();
