// Builds the page from its sections. Charts are made when they come into sight, so that a page with
// many of them is there at once.
'use strict';

(function () {
    const KINDS = {
        table: (section) => ({ element: page.table(section), show: () => {} }),
        charts: page.charts,
        bars: page.bars,
        maps: page.maps,
        gantts: page.gantts,
        text: (section) => ({ element: page.element('pre', {}, section.text), show: () => {} }),
    };

    const root = document.getElementById('page');
    const contents = page.element('nav', { 'aria-label': 'Contents' });
    const shows = new Map();

    const watcher = new IntersectionObserver((entries) => {
        for (const entry of entries) {
            if (!entry.isIntersecting) continue;
            watcher.unobserve(entry.target);
            shows.get(entry.target)();
            entry.target.dataset.ready = 'yes';
        }
    }, { rootMargin: '300px' });

    const theme = page.element('button', { type: 'button', class: 'theme',
        title: 'Dark or light' }, '◐');
    theme.addEventListener('click', page.toggleTheme);
    // The question and its answer first, if there is one.
    const { title, question, answer, lines } = page.data;
    const head = [theme, page.element('h1', {}, question || title)];
    root.append(page.element('header', {}, head.concat(
        answer ? [page.element('p', { class: 'answer' }, answer)] : [],
        lines.map((line) => page.element('p', {}, line)),
        contents)));

    page.data.sections.forEach((section, i) => {
        section.id = section.id || 'section-' + (i + 1);
        const made = KINDS[section.kind](section);
        const whole = page.element('section', { id: section.id, 'data-kind': section.kind }, [
            page.element('h2', {}, section.heading), made.element].concat(
            (section.notes || []).map((line) => page.element('p', { class: 'note' }, line))));
        contents.append(page.element('a', { href: '#' + section.id }, section.heading));
        root.append(whole);
        shows.set(whole, made.show);
        watcher.observe(whole);
    });

    // Chromium prints a canvas empty that dygraphs has drawn while printing begins, but prints a
    // copy of its picture. The charts are made anew after printing.
    function copyPlots() {
        for (const canvas of document.querySelectorAll('.plot canvas')) {
            const copy = canvas.cloneNode();
            copy.getContext('2d').drawImage(canvas, 0, 0);
            canvas.replaceWith(copy);
        }
    }

    // All of it is printed.
    window.addEventListener('beforeprint', () => {
        for (const [whole, show] of shows) {
            if (whole.dataset.ready) continue;
            watcher.unobserve(whole);
            show();
            whole.dataset.ready = 'yes';
        }
        copyPlots();
    });

    root.append(page.element('footer', {}, ['made by pinion ' + page.data.pinion,
        page.element('details', {}, [page.element('summary', {}, 'licence of dygraphs, which draws '
            + 'the charts'), page.element('pre', {}, page.data.licence)])]));
    document.documentElement.dataset.ready = 'yes';
})();
