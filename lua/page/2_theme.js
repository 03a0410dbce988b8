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

    page.colour = function (index) {
        const palette = page.isDark() ? page.data.palette.dark : page.data.palette.light;
        return palette[index % palette.length];
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
