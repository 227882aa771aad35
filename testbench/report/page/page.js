// SPDX-License-Identifier: Apache-2.0
// Shows a page: the JSON of its element 'page' as head, contents, tables, folded parts and charts. README.md in the
// folder above lists its keys; scripts that follow draw the charts of a run, of a comparison and of a frame.
'use strict';
const page = JSON.parse(document.getElementById('page').textContent), data = page.data;
const SVG = new Set(['svg', 'rect', 'path', 'text', 'line', 'g', 'title']);
function make(parent, name, attributes = {}, text) {
  const node = SVG.has(name) ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  parent.appendChild(node);
  return node;
}
const short = n => n >= 1e6 ? +(n / 1e6).toPrecision(4) + ' M' : n >= 1e4 ? +(n / 1e3).toPrecision(4) + ' k' : String(+n.toPrecision(4));
const unique = list => [...new Set(list)];
const titled = ({name, unit}) => unit && unit !== name ? `${name} (${unit})` : name;
const pen = document.createElement('canvas').getContext('2d');
pen.font = '12px system-ui, sans-serif';
const widest = texts => Math.max(0, ...texts.map(text => pen.measureText(text).width));

// ---- head, contents, tables ------------------------------------------------------------------------------------------
// A name may break behind points, underscores and slashes, an arrow or the name of an option not at all.
const breakable = text => String(text).split(/(->|--[\w-]+)/).flatMap((part, i) => i % 2 ? [make(new DocumentFragment(), 'span', {class: 'whole'}, part)]
  : part.split(/(?<=[._/])/).flatMap((piece, k) => k ? [document.createElement('wbr'), piece] : [piece]));
const isNumber = text => typeof text === 'number' || /^[-+]?\d[\d,.e+-]*( %)?$/.test(text);
// columns: [title, description, value, text]; a click on a title sorts by it. `order`: [column, whether downwards].
function table(place, list, columns, order, row) {
  const node = make(make(place, 'div', {class: 'wide'}), 'table'), head = make(make(node, 'thead'), 'tr'), body = make(node, 'tbody');
  const made = new Map(), mostly = columns.map(([, , value, text]) => {
    const said = list.map(text || value).filter(each => typeof each === 'number' || each);
    return 3 * said.filter(each => isNumber(each instanceof Node ? each.textContent : each)).length >= said.length;
  });
  let [by, down] = order || [];
  const fill = () => {
    const value = each => columns[by][2](each) ?? '', number = v => typeof v === 'number' ? v : parseFloat(v.replaceAll(',', ''));
    const compare = (x, y) => isNaN(number(x)) || isNaN(number(y)) ? String(x).localeCompare(String(y), 'en') : number(x) - number(y);
    body.replaceChildren(...[...list].sort((a, b) => compare(value(a), value(b)) * (down ? -1 : 1)).map(each => made.get(each)));
  };
  for (const each of list) {
    const tr = made.set(each, make(body, 'tr')).get(each);
    for (const [i, [, , value, text]] of columns.entries()) {
      const said = (text || value)(each) ?? '', td = make(tr, 'td', {class: (mostly[i] ? 'number' : '') + (isNumber(said) ? ' whole' : '')});
      td.append(...typeof said === 'number' ? [Math.round(said).toLocaleString('en')] : said instanceof Node || isNumber(said) ? [said] : breakable(said));
    }
    if (row) row(each, tr);
  }
  columns.forEach(([name, what], i) => {
    const th = make(head, 'th', mostly[i] ? {title: what, class: 'number'} : {title: what});
    th.append(...breakable(name));
    th.onclick = () => { down = by === i ? !down : Boolean(order) && i > 0; by = i; fill(); };
  });
  if (order) fill();
}
function part({text, header, rows, notes}, place) {
  if (text) make(place, 'p', {}, text);
  if (header) table(place, rows, header.map((name, i) => [name, '', row => row[i]]));
  if (!notes || !notes.length) return;
  const details = make(place, 'details'), list = (make(details, 'summary', {}, 'What each figure is'), make(details, 'ul'));
  for (const [name, unit, description] of notes) {
    const item = make(list, 'li');
    make(item, 'b', {}, name);
    item.append(`${unit && ` (${unit})`}: ${description}`);
  }
}
document.title = page.title;
make(document.body, 'h1').append(...breakable(page.title));
if (page.question) make(document.body, 'p', {}, page.question);
const answer = make(document.body, 'div', {id: 'answer'});
const say = text => make(make(answer, 'p'), answer.firstChild === answer.lastChild ? 'strong' : 'span', {}, text);
page.answer.forEach(say);
if (page.effects && page.effects.length) {
  const list = make(answer, 'ul');
  for (const [axis, text, reason] of page.effects) {
    const item = make(list, 'li');
    make(item, 'b', {}, axis);
    item.append(`: ${text} ${reason}`);
  }
}
if (page.of) make(document.body, 'p', {id: 'of'}).append(...breakable(page.of));
for (const each of page.parts.filter(each => each.open)) {
  make(document.body, 'h2', {}, each.title);
  part(each, document.body);
}
// Charts stand behind the answer, or with the other charts, which are folded.
const plots = make(document.body, 'div', {id: 'plots'}), nav = make(document.body, 'nav'), tip = make(document.body, 'div', {id: 'tip'});
function folded(title) {
  const details = make(document.body, 'details'), id = 's' + nav.childNodes.length;
  make(make(details, 'summary'), 'h2', {}, title);
  make(nav, 'a', {href: '#' + id}, title).onclick = () => { details.open = true; };
  return make(details, 'div', {id});
}
const more = folded('Charts'), link = nav.firstChild;
for (const each of page.parts.filter(each => !each.open)) part(each, folded(each.title));

// ---- axes ------------------------------------------------------------------------------------------------------------
const LEFT = 74, RIGHT = 18, TOP = 14, BOTTOM = 44;
// Width of the page, so that text keeps its size.
const fit = () => Math.min(Math.max(plots.clientWidth, 320), 960);
let W = fit(), place = plots;

// Round steps for an axis; a logarithmic one has 1, 2 and 5 times the powers of ten, or these alone.
function ticks(low, high, wanted, log) {
  const rough = (high - low) / wanted || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= rough);
  const found = [];
  if (log) {
    const steps = Math.log10(high / low) < 5 ? [1, 2, 5] : [1];
    for (let p = Math.floor(Math.log10(low)); 10 ** p <= high; ++p) found.push(...steps.map(s => s * 10 ** p).filter(t => t >= low * (1 - 1e-9) && t <= high));
  } else for (let t = Math.ceil(low / step) * step; t <= high * (1 + 1e-9); t += step) found.push(t);
  return found;
}
const figure = (id, title, text) => {
  const node = make(place, 'figure', {id}), caption = make(node, 'figcaption');
  make(caption, 'b', {}, title + ' ');
  caption.append(text);
  return node;
};
// An svg with axes; returns scales and the node to draw into. `y` null: the caller names the rows. `words`: of the
// values 0, 1, ... of x. With `into`, one of several in a figure.
function chart(id, title, text, o) {
  const node = o.into || figure(id, title, text), width = o.width || W, height = o.height || 260;
  const svg = make(node, 'svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title, style: `max-width:${width}px`});
  const left = o.left || LEFT, right = o.right || RIGHT;
  const part = (v, [low, high], log) => log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low);
  const x = v => left + part(v, o.x, o.logx) * (width - left - right);
  const y = v => height - BOTTOM - (o.y ? part(v, o.y, o.logy) : 0) * (height - TOP - BOTTOM);
  const wanted = Math.min(8, (width - left - right) / 70), name = t => o.words ? o.words[t] : short(t);
  let end = -Infinity;
  for (const t of o.words ? o.words.keys() : o.xticks || ticks(...o.x, wanted, o.logx)) {
    const half = widest([name(t)]) / 2, from = x(t) - half * (width - x(t) < 24 ? 2 : 1);
    make(svg, 'line', {x1: x(t), x2: x(t), y1: TOP, y2: height - BOTTOM, class: 'grid'});
    if (from < end + 8) continue;
    end = from + 2 * half;
    make(svg, 'text', {x: x(t), y: height - BOTTOM + 16, 'text-anchor': width - x(t) < 24 ? 'end' : 'middle'}, name(t));
  }
  const [xlabel, ylabel] = [[o.xlabel, o.logx], [o.ylabel, o.logy]].map(([label, log]) => log ? label.replace(/\)?$/, end => `${end ? ', ' : ' ('}logarithmic)`) : label);
  make(svg, 'text', {x: Math.min((left + width - right) / 2, width - widest([xlabel]) / 2 - 2), y: height - 8, 'text-anchor': 'middle'}, xlabel);
  if (o.y) for (const t of ticks(...o.y, 5, o.logy)) {
    make(svg, 'line', {x1: left, x2: width - right, y1: y(t), y2: y(t), class: 'grid'});
    make(svg, 'text', {x: left - 6, y: y(t) + 4, 'text-anchor': 'end'}, short(t));
  }
  const middle = (TOP + height - BOTTOM) / 2;
  make(svg, 'text', {x: 14, y: middle, 'text-anchor': 'middle', transform: `rotate(-90 14 ${middle})`}, ylabel);
  const body = make(svg, 'g', {class: 'data'});
  make(svg, 'line', {x1: left, x2: width - right, y1: height - BOTTOM, y2: height - BOTTOM, class: 'axis'});
  svg.ondblclick = () => save(svg, node.id);
  return {figure: node, svg, body, x, y, width, height, left, right, range: o.x};
}
// A chart as a file: a double click.
function save(svg, name) {
  const copy = svg.cloneNode(true);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.prepend(document.querySelector('style').cloneNode(true));
  const a = document.createElement('a');
  a.href = 'data:image/svg+xml,' + encodeURIComponent(copy.outerHTML);
  a.download = name + '.svg';
  a.click();
}
function show(event, words) {
  tip.style.display = words ? 'block' : 'none';
  tip.textContent = words;
  tip.style.left = event.pageX + (event.clientX > innerWidth * .7 ? -tip.offsetWidth - 12 : 12) + 'px';
  tip.style.top = event.pageY + 12 + 'px';
}
// `text(x, py, px)` describes the data under the pointer, at data coordinate x of a linear axis and svg coordinates.
function hover(c, text) {
  c.svg.onpointermove = event => {
    const box = c.svg.getBoundingClientRect(), [low, high] = c.range;
    const px = (event.clientX - box.left) / box.width * c.width, py = (event.clientY - box.top) / box.height * c.height;
    const value = low + (px - c.left) / (c.width - c.left - c.right) * (high - low);
    show(event, value < low || value > high ? '' : text(value, py, px));
  };
  c.svg.onpointerleave = event => show(event, '');
}
// Buttons that show and hide the groups of a figure.
function legend(node, entries, change) {
  const box = make(node, 'div', {class: 'legend'});
  node.insertBefore(box, node.querySelector('svg, .panels'));
  for (const entry of entries) {
    const button = make(box, 'button', {'aria-pressed': 'true', type: 'button'});
    const fill = entry.fill || `var(--${entry.color})`;
    if (entry.dash === undefined) make(button, 'i', {style: `background:${fill};opacity:${entry.opacity || 1}`});
    else make(make(button, 'svg', {viewBox: '0 0 24 8'}), 'line', {x2: 24, y1: 4, y2: 4, stroke: fill, 'stroke-width': 2, 'stroke-dasharray': entry.dash});
    button.append(entry.name);
    button.onclick = () => {
      entry.off = !entry.off;
      button.setAttribute('aria-pressed', String(!entry.off));
      change();
    };
  }
  return box;
}

// ---- colours ---------------------------------------------------------------------------------------------------------
// Cividis, which colour-blind readers see the same.
const cividis = [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56]];
// The colour of a palette for a share from 0 to 1.
function ramp(palette, share) {
  const at = Math.min(Math.max(share, 0), 1) * (palette.length - 1), i = Math.min(Math.floor(at), palette.length - 2);
  return 'rgb(' + palette[i].map((v, k) => Math.round(v + (palette[i + 1][k] - v) * (at - i))).join(',') + ')';
}
// Of one of several results or values, which are no causes: a shade, and dashes.
const shade = (i, count) => `color-mix(in oklab, var(--s1) ${count > 1 ? 100 * i / (count - 1) : 0}%, var(--s0))`;
const dashes = i => ['', '7 3', '2 3', '9 3 2 3'][i % 4];
// Causes by their meaning, each with its colour on all pages: parts of stacks and of critical paths, and stalls.
const kinds = {
  'works': ['a', ['issue', 'passes', 'fetch', 'busy']],
  'bank conflicts': ['b', ['bank_conflict']],
  'waits for data': ['c', ['scoreboard', 'memory', 'latency', 'response', 'drain', 'pipeline_latency', 'write_latency', 'al2p_latency',
    'out_latency', 'alu_latency', 'variable_latency', 'memory_latency', 'global_latency', 'texture_latency', 'global_memory']],
  'waits for room': ['d', ['isbe_full', 'warp_slot', 'lines_and_slot', 'attribute_queue', 'responses_full', 'output_order', 'queue_full',
    'request_queue', 'isbe_lines']],
  'waits for its turn': ['e', ['stall_count', 'pipe', 'grant', 'other_port', 'front_end', 'port_contention', 'geometry_threads', 'back_end',
    'issue_slot', 'request_channel', 'response_channel', 'consumer']],
  'hands over': ['f', ['launch', 'read_release', 'write_back', 'attribute_unit', 'completion']],
  'nothing to do': ['g', ['no_warp', 'no_request', 'no_vertices', 'idle', 'none_waits', 'ended']],
};
const colorOf = part => (Object.values(kinds).find(([, parts]) => parts.includes(part)) || ['y'])[0];

// ---- charts of several pages -----------------------------------------------------------------------------------------
// A bar per row [name, cycles, {part: cycles}], in % of its cycles, a heading per row [name]; parts without a kind are
// 'other'; the pointer shows the names of the parts.
function bars(id, title, text, rows, o = {}) {
  const row = Math.max(4, Math.min(22, Math.floor(1200 / rows.length))), tops = [TOP];
  for (const [, , parts] of rows) tops.push(tops[tops.length - 1] + (parts ? row : Math.max(row, 16)));
  const height = tops.pop() + BOTTOM;
  const known = new Set(Object.values(kinds).flatMap(([, parts]) => parts)), filled = rows.filter(r => r[2]);
  if (!filled.length) return;
  const others = unique(filled.flatMap(([, , parts]) => Object.keys(parts))).filter(part => !known.has(part));
  const entries = Object.entries({...kinds, other: ['y', others]}).map(([name, [color, parts]]) => ({name, color, parts}))
    .filter(e => filled.some(([, , parts]) => e.parts.some(p => parts[p])));
  const left = Math.min(widest(filled.map(([name]) => name)) + (o.ylabel ? 34 : 12), W / 2);
  const c = chart(id, title, text, {x: [0, 100], y: null, xlabel: '% of the cycles', ylabel: o.ylabel || '', height, left});
  // Names where they have room, from the first bar below a heading.
  let free = 0;
  rows.forEach(([name, , parts], i) => {
    const y = tops[i] + (parts ? row : Math.max(row, 16)) / 2 + 4;
    if (!parts) make(c.svg, 'text', {x: left, y, class: 'heading'}, name);
    else if (y >= free) make(c.svg, 'text', {x: left - 6, y, 'text-anchor': 'end'}, name);
    free = !parts ? 0 : y >= free ? y + 14 : free;
  });
  const draw = () => {
    c.body.replaceChildren();
    rows.forEach(([, all, parts], i) => {
      let from = 0;
      for (const entry of parts ? entries : [])
        for (const part of entry.parts) {
          const share = 100 * (parts[part] || 0) / all;
          if (share && !entry.off) make(c.body, 'rect', {x: c.x(from), width: Math.max(c.x(from + share) - c.x(from) - .6, .4), y: tops[i] + row / 8,
            height: row * 3 / 4, fill: `var(--${entry.color})`});
          from += share;
        }
    });
  };
  legend(c.figure, entries, draw);
  draw();
  hover(c, (value, py) => {
    const [name, all, parts] = rows[py < height - BOTTOM ? tops.findLastIndex(top => top <= py) : -1] || [];
    return parts ? name + '\n' + Object.entries(parts).filter(p => p[1]).sort((a, b) => b[1] - a[1])
      .map(([n, v]) => `${n}: ${o.shares ? '' : short(v) + ' cycles, '}${(100 * v / all).toFixed(1)} %`).join('\n') : '';
  });
}
// A bar per row [name, value, fill, what it is], a heading per row [name].
function bar(id, title, text, rows, xlabel) {
  const height = TOP + BOTTOM + rows.length * 22, filled = rows.filter(r => r.length > 1);
  const left = Math.min(widest(filled.map(([name]) => name)) + 12, W / 2);
  const c = chart(id, title, text, {x: [0, Math.max(...filled.map(r => r[1]), 1e-9) * 1.05], y: null, xlabel, ylabel: '', height, left, right: 80});
  rows.forEach(([name, value, fill = 'var(--x)', what], i) => {
    const y = TOP + i * 22;
    if (value === undefined) return make(c.svg, 'text', {x: left, y: y + 15, class: 'heading'}, name);
    const nodes = [make(c.body, 'rect', {x: left, y: y + 3, width: c.x(value) - left, height: 16, fill}), make(c.body, 'text', {x: left - 6, y: y + 15, 'text-anchor': 'end'}, name)];
    for (const node of what ? nodes : []) make(node, 'title', {}, what);
    make(c.body, 'text', {x: c.x(value) + 6, y: y + 15}, short(value));
  });
}
// Parts of a critical path by reason: [name, {reason: cycles}] for the whole and for each stage, longest first.
function byStage(parts) {
  const whole = {}, stages = {};
  for (const [name, value] of Object.entries(parts)) {
    const [reason, stage] = name.split('.');
    whole[reason] = (whole[reason] || 0) + value;
    (stages[stage] = stages[stage] || {})[reason] = value;
  }
  const size = parts => Object.values(parts).reduce((sum, n) => sum + n, 0);
  return [['the draw', whole], ...Object.entries(stages).sort((a, b) => size(b[1]) - size(a[1]))];
}

const timeLabel = 'cycle';
// End of bin `i` of a run's series.
const binEnd = (of, i) => i + 1 < of.read_bytes.length ? (i + 1) * of.bin_cycles : i * of.bin_cycles + of.last_bin_cycles;
const perCycle = (of, values) => values.map((v, i) => v / (binEnd(of, i) - i * of.bin_cycles));
// Steps over the bins of the series `of`, for each entry {name, color or fill, dash, of, values}; `stack` adds up the
// entries of a series.
function overTime(id, title, text, ylabel, entries, o) {
  if (!entries.some(e => e.values.some(v => v))) return; // what did not happen has no chart, or part of one
  if (o.stack) entries = entries.filter(e => e.values.some(v => v));
  const count = Math.max(...entries.map(e => e.values.length));
  const sums = Array.from({length: count}, (_, i) => entries.reduce((s, e) => s + (e.values[i] || 0), 0));
  const high = Math.max(o.limit && o.showLimit ? o.limit : 0, ...(o.stack ? sums : entries.flatMap(e => e.values)), 1e-9) * 1.05;
  const c = chart(id, title, text, {x: o.time, y: [0, high], xlabel: timeLabel, ylabel, height: o.height});
  const draw = () => {
    c.body.replaceChildren();
    const base = Array(count).fill(0);
    for (const entry of entries) {
      if (entry.off) continue;
      let upper = '', lower = '';
      for (let i = 0; i < entry.values.length; ++i) {
        const from = c.x(i * entry.of.bin_cycles), to = c.x(binEnd(entry.of, i)), value = entry.values[i];
        lower = ` L${to} ${c.y(base[i])} L${from} ${c.y(base[i])}` + lower;
        if (o.stack) base[i] += value;
        const at = c.y(o.stack ? base[i] : value);
        upper += `${i ? 'L' : 'M'}${from} ${at} L${to} ${at} `;
      }
      const fill = entry.fill || `var(--${entry.color})`;
      make(c.body, 'path', o.stack ? {d: upper + lower + ' Z', fill}
        : {d: upper, fill: 'none', stroke: fill, 'stroke-width': 2, 'stroke-dasharray': entry.dash || ''});
    }
    if (o.limit && o.limit <= high) {
      make(c.body, 'line', {x1: LEFT, x2: W - RIGHT, y1: c.y(o.limit), y2: c.y(o.limit), class: 'limit'});
      make(c.body, 'text', {x: W - RIGHT - 4, y: c.y(o.limit) - 5, 'text-anchor': 'end'}, o.limitName);
    }
  };
  legend(c.figure, entries, draw);
  draw();
  const [{of}] = entries, together = entries.every(e => e.of === of);
  hover(c, value => {
    const i = Math.floor(value / of.bin_cycles);
    const say = e => e.values[Math.floor(value / e.of.bin_cycles)];
    return (together ? `cycles ${i * of.bin_cycles} to ${binEnd(of, i) - 1}` : `cycle ${Math.floor(value)}`) + '\n' +
      entries.map(e => `${e.name}: ${say(e) === undefined ? 'has ended' : short(say(e))}`).join('\n');
  });
}

// Lines and points over two figures, a panel each for {title, lines}. A line has x, y (null: no value), name, and may be
// `thin`, `step`, `bare` (without points) or `scatter` (points alone); lines of a name are one entry of the
// legend. o: xlabel, ylabel, words (x are their indices), logx, logy, xticks, limits [{x or y, text}].
function xy({id, title, text, panels, menu, say = () => '', ...o}) {
  const node = figure(id, title, text), all = panels.flatMap(p => p.lines), names = unique(all.filter(l => !l.thin).map(l => l.name));
  if (menu) menu(node);
  const entries = names.map((name, i) => ({name, fill: shade(i, names.length), dash: all.some(l => l.name === name && !l.scatter) ? dashes(i) : undefined}));
  const values = key => all.flatMap(l => l[key]).filter(v => v !== null), of = line => entries[names.indexOf(line.name)];
  const span = (list, log, limits) => {
    const [low, high] = [...list, ...limits].reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
    return log ? [low / (low < high ? 1.15 : 2), high * 1.15] : [Math.min(low, 0), (high || 1) * 1.06];
  };
  const limits = (o.limits || []), x = o.words ? [-.5, o.words.length - .5] : span(values('x'), o.logx, limits.flatMap(l => l.x ?? []));
  const y = o.y || span(values('y'), o.logy, limits.flatMap(l => l.y ?? []));
  const columns = Math.max(1, Math.min(3, panels.length, Math.floor(W / 300))), width = Math.floor((W - 16 * (columns - 1)) / columns);
  const box = make(node, 'div', {class: 'panels', style: `grid-template-columns:repeat(${columns},${width}px)`}), made = [];
  for (const {title: heading, xlabel, words, lines} of panels) {
    const into = make(box, 'div', {id: `${id}_${made.length}`});
    if (heading) make(into, 'p', {}, heading);
    const c = chart(id, heading || title, '', {...o, x: words ? [-.5, words.length - .5] : x, y, words: words || o.words, xlabel: xlabel || o.xlabel,
      into, width, height: o.height || (panels.length > 1 ? 230 : 330)});
    made.push({c, lines});
    hover(c, (_, py, px) => {
      let best = 14, found = '';
      for (const line of lines) line.y.forEach((v, i) => {
        const away = v === null || line.x[i] === null ? Infinity : Math.hypot(c.x(line.x[i]) - px, c.y(v) - py);
        if (away < best) [best, found] = [away, `${line.name}\n${(words || o.words || {})[line.x[i]] ?? short(line.x[i])}, ${short(v)}\n${say(line, i)}`];
      });
      return found;
    });
  }
  const draw = () => {
    for (const {c, lines} of made) {
      c.body.replaceChildren();
      for (const line of lines.filter(l => !of(l)?.off)) {
        const {fill, dash} = of(line) || {}, at = line.x.flatMap((v, i) => v === null || line.y[i] === null ? [] : [[c.x(v), c.y(line.y[i])]]);
        const d = at.map(([px, py], i) => i === 0 ? `M${px} ${py}` : line.step ? `H${px}V${py}` : `L${px} ${py}`).join('');
        if (!line.scatter) make(c.body, 'path', {d, fill: 'none', stroke: fill, 'stroke-width': line.thin ? 1 : 2, 'stroke-dasharray': dash, opacity: line.thin ? .5 : 1});
        if (!line.thin && !line.bare) make(c.body, 'path', {d: at.map(([px, py]) => `M${px.toFixed(1)} ${py.toFixed(1)}h.01`).join(''), stroke: fill, class: 'dots'});
      }
      for (const {x: px, y: py, text} of limits) {
        const flat = py !== undefined;
        make(c.body, 'line', flat ? {x1: c.left, x2: c.width - c.right, y1: c.y(py), y2: c.y(py), class: 'limit'}
          : {x1: c.x(px), x2: c.x(px), y1: TOP, y2: c.height - BOTTOM, class: 'limit'});
        make(c.body, 'text', flat ? {x: c.left + 4, y: c.y(py) - 5} : {x: c.x(px) - 4, y: TOP + 12, 'text-anchor': 'end'}, text);
      }
    }
  };
  if (entries.length > 1) legend(node, entries, draw);
  draw();
}

// ---- charts of the points of an exploration: columns {name, unit, values, numeric, log} ----------------------------------
const describe = i => `point ${data.points[i]}\n` + data.columns.map(c => `${c.name} = ${typeof c.values[i] === 'number' ? short(c.values[i]) : c.values[i] ?? 'none'}`).join('\n');
// The points that no other beats in both columns, by the first of them.
function front(x, y) {
  const sign = column => column.more ? -1 : 1, order = x.values.map((_, i) => i).filter(i => x.values[i] !== null && y.values[i] !== null);
  const at = (column, i) => sign(column) * column.values[i];
  let least = Infinity;
  return order.sort((a, b) => at(x, a) - at(x, b) || at(y, a) - at(y, b)).filter(i => at(y, i) < least && (least = at(y, i), true));
}
let pair = 0;
function pareto({id, title, text, pairs}) {
  const [y, x] = pairs[pair].map(name => data.columns.find(c => c.name === name)), best = front(x, y);
  const place = i => `${x.values[i]}, ${y.values[i]}`, taken = new Set(best.map(place));
  const line = (name, list, more) => ({name, x: list.map(i => x.values[i]), y: list.map(i => y.values[i]), at: list, ...more});
  xy({id, title, text, xlabel: titled(x), ylabel: titled(y), panels: [{lines: [line('Pareto front', best, {step: true}),
    line('other points', x.values.map((_, i) => i).filter(i => !taken.has(place(i))), {scatter: true})]}], say: (of, i) => describe(of.at[i]), menu: node => {
    const select = make(node, 'select', {'aria-label': 'figures'});
    for (const [y, x] of pairs) make(select, 'option', {}, `${y} over ${x}`);
    select.selectedIndex = pair;
    select.onchange = () => { pair = select.selectedIndex; redraw(); };
  }});
}
// A line per point over parallel axes, with a gap where it has no value. A range of each axis may be kept: axis number ->
// [low, high], shares of its height.
const kept = new Map();
function parallel({id, title, text, colour}) {
  const columns = data.columns.filter(c => unique(c.values).length > 1), node = make(figure(id, title, text), 'div', {class: 'wide'});
  const words = columns.map(c => c.words), known = columns.map(c => c.values.filter(v => v !== null));
  const ends = columns.map((c, i) => c.numeric ? known[i].reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]) : [0, words[i].length - 1]);
  const of = columns.map(c => c.log ? Math.log : v => v);
  const share = (i, v) => v === null ? null : (of[i](columns[i].numeric ? v : words[i].indexOf(v)) - of[i](ends[i][0])) / (of[i](ends[i][1]) - of[i](ends[i][0]) || 1);
  const marks = columns.map((c, i) => c.numeric ? ends[i] : words[i]), name = v => typeof v === 'number' ? short(v) : v;
  const space = Math.max(60, widest(marks.flat().map(name)) + 16), side = 24, width = Math.max(W, 2 * side + columns.length * space);
  const x = i => side + i * (width - 2 * side - space) / Math.max(1, columns.length - 1);
  // Names in rows, each in the first one where it has room.
  const used = [], names = columns.map((c, i) => {
    const half = widest([titled(c)]) / 2, at = Math.min(Math.max(x(i), half), width - half);
    let row = used.findIndex(end => end + 10 < at - half);
    if (row < 0) row = used.length;
    used[row] = at + half;
    return {at, row};
  });
  const top = 16 * used.length + 24, bottom = top + Math.max(334, ...words.map(w => 14 * w.length)), y = f => bottom - f * (bottom - top);
  const svg = make(node, 'svg', {class: 'parallel', style: `width:${width}px;height:${bottom + 30}px`}), paths = make(svg, 'g', {class: 'data'});
  const lines = data.points.map((_, k) => columns.map((c, i) => share(i, c.values[k]))), by = columns.findIndex(c => c.name === colour);
  const update = () => {
    const groups = new Map();
    for (const line of lines) {
      const off = [...kept].some(([i, [low, high]]) => line[i] === null || line[i] < low - 1e-9 || line[i] > high + 1e-9);
      const key = off || line[by] === null ? 'off' : by < 0 ? 0 : Math.round(line[by] * 16);
      const d = line.map((v, i) => v === null ? '' : `${i && line[i - 1] !== null ? 'L' : 'M'}${x(i).toFixed(1)},${y(v).toFixed(1)}`).join('');
      groups.set(key, (groups.get(key) || '') + d);
    }
    paths.replaceChildren();
    for (const [key, d] of [...groups].sort(([a]) => a === 'off' ? -1 : 1)) make(paths, 'path', {d, class: 'line ' + key, stroke: shade(+key || 0, 17)});
  };
  columns.forEach((c, i) => {
    make(svg, 'line', {class: 'axis', x1: x(i), x2: x(i), y1: top, y2: bottom});
    make(svg, 'text', {x: names[i].at, y: 14 + 16 * names[i].row, 'text-anchor': 'middle'}, titled(c));
    for (const mark of marks[i]) make(svg, 'text', {x: x(i) + 6, y: y(share(i, mark)) + (share(i, mark) > .5 ? -4 : 14)}, name(mark));
    const brush = make(svg, 'rect', {class: 'brush', x: x(i) - 6, width: 12, y: 0, height: 0});
    const range = () => {
      const [low, high] = kept.get(i) || [0, 0];
      brush.setAttribute('height', y(low) - y(high));
      brush.setAttribute('y', y(high));
      update();
    };
    const grip = make(svg, 'rect', {class: 'grip', x: x(i) - 12, width: 24, y: top - 6, height: bottom - top + 12});
    const at = event => Math.max(0, Math.min(1, (bottom - (event.clientY - svg.getBoundingClientRect().top)) / (bottom - top)));
    grip.onpointerdown = event => {
      const from = at(event);
      grip.setPointerCapture(event.pointerId);
      kept.delete(i);
      grip.onpointermove = move => { kept.set(i, [Math.min(from, at(move)), Math.max(from, at(move))]); range(); };
      range();
    };
    grip.onpointerup = () => { grip.onpointermove = null; };
    if (kept.has(i)) range();
  });
  update();
  svg.onpointermove = event => {
    const box = svg.getBoundingClientRect(), px = event.clientX - box.left, py = event.clientY - box.top;
    const i = Math.max(0, columns.findLastIndex((_, k) => x(k) <= px)), j = Math.min(i + 1, columns.length - 1), t = (px - x(i)) / (x(j) - x(i) || 1);
    let best = 6, found = '';
    lines.forEach((line, k) => {
      const away = line[i] === null || line[j] === null ? Infinity : Math.abs(y(line[i] + (line[j] - line[i]) * t) - py);
      if (away < best) [best, found] = [away, k];
    });
    show(event, found === '' ? '' : describe(found));
  };
  svg.onpointerleave = event => show(event, '');
}
const chartKinds = {xy, pareto, parallel, bars: ({id, title, text, rows, ...o}) => bars(id, title, text, rows, o),
  rows: ({id, title, text, rows, xlabel}) => bar(id, title, text, rows, xlabel)};

// Draws every chart, those of the page and those that `all` draws, now and after changes of the page's width.
let redraw;
function keepDrawn(all = () => {}) {
  redraw = () => {
    for (const each of [plots, more]) each.replaceChildren();
    for (const each of page.charts || []) {
      place = each.folded ? more : plots;
      chartKinds[each.kind](each);
    }
    place = plots;
    all();
    more.parentNode.hidden = link.hidden = !more.firstChild;
  };
  redraw();
  addEventListener('resize', () => {
    if (W === fit()) return;
    W = fit();
    redraw();
  });
}
