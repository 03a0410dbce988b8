// Tables whose rows can be sorted by any column.
'use strict';

(function () {
    // What is no number stands behind all that are.
    function compare(left, right, descending) {
        const isNumber = typeof left === 'number';
        if (isNumber !== (typeof right === 'number')) return isNumber ? -1 : 1;
        const order = isNumber ? left - right : left < right ? -1 : left > right ? 1 : 0;
        return descending ? -order : order;
    }

    function keyOf(section, row, column) {
        const number = section.keys[row][column];
        return number === false ? section.rows[row][column] : number;
    }

    page.table = function (section) {
        const order = section.rows.map((_, i) => i);
        const body = page.element('tbody');
        const heads = [];
        let sortedBy = -1;
        let descending = false;

        function fill() {
            body.replaceChildren(...order.map((i) => page.element('tr', {},
                section.rows[i].map((text, c) => page.element('td',
                    { class: section.columns[c].left ? 'left' : '' }, text)))));
        }

        function sortBy(column) {
            descending = sortedBy === column && !descending;
            sortedBy = column;
            order.sort((a, b) => compare(keyOf(section, a, column), keyOf(section, b, column),
                descending) || a - b);
            heads.forEach((head, c) => head.setAttribute('aria-sort',
                c !== column ? 'none' : descending ? 'descending' : 'ascending'));
            fill();
        }

        section.columns.forEach((column, c) => {
            const button = page.element('button', { type: 'button', title: 'Sort by this column' },
                column.title);
            button.addEventListener('click', () => sortBy(c));
            heads.push(page.element('th', { scope: 'col', 'aria-sort': 'none',
                class: column.left ? 'left' : '' }, button));
        });
        fill();
        return page.element('div', { class: 'scroll' }, page.element('table', {}, [
            page.element('thead', {}, page.element('tr', {}, heads)), body]));
    };
})();
