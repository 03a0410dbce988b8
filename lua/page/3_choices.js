// A section shows one of several charts: a list for each part of their keys.
'use strict';

(function () {
    // The values of a part of the keys, in their order.
    const valuesOf = (charts, part) => [...new Set(charts.map((entry) => entry.key[part]))];

    // The chart that has all that is chosen, or as much of it as there is: what was chosen last
    // counts most.
    function findChart(charts, chosen, last) {
        const score = (entry) => entry.key.reduce((sum, value, part) =>
            sum + (value === chosen[part] ? (part === last ? chosen.length : 1) : 0), 0);
        return charts.reduce((best, entry) => (score(entry) > score(best) ? entry : best));
    }

    page.choices = function (section, make) {
        const holder = page.element('div');
        const made = new Map();
        const lists = new Map();
        let chosen = section.charts[0].key;

        function choose(entry) {
            chosen = entry.key;
            for (const [part, list] of lists) list.value = chosen[part];
            if (!made.has(entry)) made.set(entry, make(entry));
            holder.replaceChildren(made.get(entry).element);
            made.get(entry).show();
            page.shown[section.id] = made.get(entry);
        }

        const tools = [];
        (section.selects || []).forEach((name, part) => {
            const values = valuesOf(section.charts, part);
            if (values.length < 2) return;
            const list = page.element('select', {}, values.map((value) =>
                page.element('option', { value: value }, value)));
            list.addEventListener('change', () => {
                const wanted = chosen.slice();
                wanted[part] = list.value;
                choose(findChart(section.charts, wanted, part));
            });
            lists.set(part, list);
            tools.push(page.element('label', { class: 'option' }, [name + ' ', list]));
        });
        return { element: page.element('div', {}, [
            page.element('div', { class: 'choices' }, tools), holder]),
        show: () => choose(section.charts[0]) };
    };
})();
