// Bars and maps: elements, so that they fit any width and are printed as they are.
'use strict';

(function () {
    const percent = (share) => 100 * Math.min(Math.max(share, 0), 1) + '%';

    // ---- bars ---------------------------------------------------------------------------------

    // Bars beyond the limit, where there is one, would crush the others: they are broken.
    function barRow(chart, bar, most) {
        const share = (value) => percent(value / most);
        const isBroken = chart.limit !== undefined && bar.value > chart.limit;
        const fill = page.element('span', { class: isBroken ? 'fill broken' : 'fill' });
        fill.style.width = share(isBroken ? most : bar.value);
        fill.style.background = page.colour(bar.look);
        page.onTheme(() => { fill.style.background = page.colour(bar.look); });
        const track = page.element('span', { class: 'track' }, fill);
        if (bar.half && !isBroken) {
            const line = page.element('span', { class: 'interval' });
            line.style.left = share(bar.value - bar.half);
            line.style.right = percent(1 - (bar.value + bar.half) / most);
            track.append(line);
        }
        return [page.element('span', { class: 'name' }, bar.name), track,
            page.element('span', { class: 'number' }, bar.text)];
    }

    function barsOf(chart) {
        const ends = chart.bars.map((bar) => bar.value + (bar.half || 0));
        const most = Math.min(Math.max(...ends), chart.limit || Infinity) || 1;
        return { element: page.element('div', {}, [
            page.element('div', { class: 'axis' }, chart.label),
            page.element('div', { class: 'bars', role: 'img', 'aria-label': chart.label + ': '
                + chart.bars.map((bar) => bar.name + ' ' + bar.text).join(', ') },
            chart.bars.flatMap((bar) => barRow(chart, bar, most)))]),
        show: () => {}, inSight: chart.bars.length };
    }

    page.bars = (section) => page.choices(section, barsOf);

    // ---- maps ---------------------------------------------------------------------------------

    const SHADE = 0.75; // of the largest value

    function cellOf(text, shade) {
        const cell = page.element('td', {}, text);
        cell.style.setProperty('--shade', String(SHADE * shade));
        return cell;
    }

    function mapOf(chart) {
        const head = page.element('tr', {}, [page.element('th', { class: 'left' }, chart.corner)]
            .concat(chart.columns.map((name) => page.element('th', { scope: 'col' }, name))));
        const body = chart.rows.map((name, i) => page.element('tr', {},
            [page.element('th', { class: 'left', scope: 'row' }, name)].concat(
                chart.texts[i].map((text, k) => cellOf(text, chart.shades[i][k])))));
        return { element: page.element('div', { class: 'scroll' }, page.element('table',
            { class: 'map' }, [page.element('thead', {}, head),
                page.element('tbody', {}, body)])),
        show: () => {}, inSight: chart.rows.length };
    }

    page.maps = (section) => page.choices(section, mapOf);
})();
