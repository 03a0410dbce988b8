// Dark and light: as the system says, until the reader chooses. What is drawn on canvases is drawn
// again when it changes, and light when it is printed.
'use strict';

(function () {
    const watchers = [];
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    let chosen = null;
    let printing = false;

    page.isDark = function () {
        if (printing) return false;
        return chosen === null ? system.matches : chosen === 'dark';
    };

    const palette = page.data.palette;

    // Of what has an area; all that has no colour of its own shares one.
    page.colour = function (index) {
        const colours = page.isDark() ? palette.dark : palette.light;
        return colours[index % colours.length];
    };

    page.otherColour = function () { return page.isDark() ? palette.other_dark : palette.other; };

    // Of lines and points, which may not be faint.
    page.lineColour = function (index) {
        const colours = page.isDark() ? palette.dark : palette.lines;
        return colours[index % colours.length];
    };

    // More lines than there are colours are dashed.
    const DASHES = [null, [8, 4], [3, 3]];
    page.dash = function (index) {
        const colours = page.isDark() ? palette.dark : palette.lines;
        return DASHES[Math.floor(index / colours.length) % DASHES.length];
    };

    // What a legend shows of a line.
    page.swatch = function (index) {
        const dash = page.dash(index);
        const colour = page.lineColour(index);
        return dash ? `repeating-linear-gradient(90deg, ${colour} 0 ${dash[0] / 2}px, transparent `
            + `${dash[0] / 2}px ${(dash[0] + dash[1]) / 2}px)` : colour;
    };

    // A colour that is a property of the style sheet.
    page.ink = function (name) {
        return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
    };

    page.onTheme = function (watch) { watchers.push(watch); };

    function apply() {
        document.documentElement.dataset.theme = page.isDark() ? 'dark' : 'light';
        for (const watch of watchers) watch();
    }

    page.toggleTheme = function () {
        chosen = page.isDark() ? 'light' : 'dark';
        apply();
    };

    system.addEventListener('change', apply);
    window.addEventListener('beforeprint', () => { printing = true; apply(); });
    window.addEventListener('afterprint', () => { printing = false; apply(); });
    document.documentElement.dataset.theme = page.isDark() ? 'dark' : 'light';
})();
