// SPDX-License-Identifier: Apache-2.0
// Plots of the pages of a single run and of several; follows common.js.
const LEFT = 74, RIGHT = 18, TOP = 14, BOTTOM = 44;
let W = fit();

const short = n => n >= 1e6 ? +(n / 1e6).toPrecision(4) + ' M' : n >= 1e4 ? +(n / 1e3).toPrecision(4) + ' k' : String(+n.toPrecision(4));

// Round steps for an axis from 0 (or `low`) to `high`.
function ticks(low, high, wanted) {
  const rough = (high - low) / wanted || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= rough);
  const found = [];
  for (let t = Math.ceil(low / step) * step; t <= high * (1 + 1e-9); t += step) found.push(t);
  return found;
}

// Where figures go: at first behind the answer, then with the other charts, which are folded.
const more = document.getElementById('more'), charts = document.getElementById('charts');
let place = plots;
// A figure with axes; returns scales and the node to draw into. `y` null: the caller names the rows.
function chart(id, title, text, o) {
  const figure = make(place, 'figure', {id});
  const caption = make(figure, 'figcaption', {});
  make(caption, 'b', {}, title + ' ');
  caption.append(text);
  const height = o.height || 260, svg = make(figure, 'svg', {viewBox: `0 0 ${W} ${height}`, role: 'img', 'aria-label': title});
  const left = o.left || LEFT, right = o.right || RIGHT;
  const x = v => left + (v - o.x[0]) / (o.x[1] - o.x[0]) * (W - left - right);
  const y = v => height - BOTTOM - (o.y ? (v - o.y[0]) / (o.y[1] - o.y[0]) : 0) * (height - TOP - BOTTOM);
  for (const t of ticks(o.x[0], o.x[1], Math.min(8, (W - left - right) / 70))) {
    make(svg, 'line', {x1: x(t), x2: x(t), y1: TOP, y2: height - BOTTOM, class: 'grid'});
    make(svg, 'text', {x: x(t), y: height - BOTTOM + 16, 'text-anchor': W - x(t) < 24 ? 'end' : 'middle'}, short(t));
  }
  make(svg, 'text', {x: (left + W - right) / 2, y: height - 8, 'text-anchor': 'middle'}, o.xlabel);
  if (o.y) for (const t of ticks(o.y[0], o.y[1], 5)) {
    make(svg, 'line', {x1: left, x2: W - right, y1: y(t), y2: y(t), class: 'grid'});
    make(svg, 'text', {x: left - 6, y: y(t) + 4, 'text-anchor': 'end'}, short(t));
  }
  const middle = (TOP + height - BOTTOM) / 2;
  make(svg, 'text', {x: 14, y: middle, 'text-anchor': 'middle', transform: `rotate(-90 14 ${middle})`}, o.ylabel);
  const body = make(svg, 'g', {class: 'data'});
  make(svg, 'line', {x1: left, x2: W - right, y1: height - BOTTOM, y2: height - BOTTOM, class: 'axis'});
  return {figure, svg, body, x, y, height, left, right};
}

// `text(x)` describes the data under the pointer, at data coordinate x and svg coordinate y.
function hover(c, range, text) {
  c.svg.addEventListener('pointermove', event => {
    const box = c.svg.getBoundingClientRect();
    const px = (event.clientX - box.left) / box.width * W, py = (event.clientY - box.top) / box.height * c.height;
    const value = range[0] + (px - c.left) / (W - c.left - c.right) * (range[1] - range[0]);
    const words = value < range[0] || value > range[1] ? '' : text(value, py);
    tip.style.display = words ? 'block' : 'none';
    tip.textContent = words;
    const flip = event.clientX > innerWidth * .7;
    tip.style.left = event.pageX + (flip ? -tip.offsetWidth - 12 : 12) + 'px';
    tip.style.top = event.pageY + 12 + 'px';
  });
  c.svg.addEventListener('pointerleave', () => tip.style.display = 'none');
}

// Buttons that show and hide the groups of a plot.
function legend(c, entries, change) {
  const box = make(c.figure, 'div', {class: 'legend'});
  c.figure.insertBefore(box, c.svg);
  for (const entry of entries) {
    const button = make(box, 'button', {'aria-pressed': 'true', type: 'button'});
    make(button, 'i', {style: `background:${entry.fill || `var(--${entry.color})`}`});
    button.append(entry.name);
    button.onclick = () => {
      entry.off = !entry.off;
      button.setAttribute('aria-pressed', String(!entry.off));
      change();
    };
  }
}

const timeLabel = 'cycle';
// End of bin `i` of a run's series.
const binEnd = (of, i) => i + 1 < of.read_bytes.length ? (i + 1) * of.bin_cycles : i * of.bin_cycles + of.last_bin_cycles;
const perCycle = (of, values) => values.map((v, i) => v / (binEnd(of, i) - i * of.bin_cycles));

// Steps over the bins of the series `of`, for each entry {name, color, of, values}; `stack` adds up the entries of
// a series.
function overTime(id, title, text, ylabel, entries, o) {
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
      make(c.body, 'path', o.stack ? {d: upper + lower + ' Z', fill: `var(--${entry.color})`, 'fill-opacity': .85}
        : {d: upper, fill: 'none', stroke: `var(--${entry.color})`, 'stroke-width': 2});
    }
    if (o.limit && o.limit <= high) {
      make(c.body, 'line', {x1: LEFT, x2: W - RIGHT, y1: c.y(o.limit), y2: c.y(o.limit), class: 'limit'});
      make(c.body, 'text', {x: W - RIGHT - 4, y: c.y(o.limit) - 5, 'text-anchor': 'end'}, o.limitName);
    }
  };
  legend(c, entries, draw);
  draw();
  const [{of}] = entries, together = entries.every(e => e.of === of);
  hover(c, o.time, value => {
    const i = Math.floor(value / of.bin_cycles);
    const say = e => e.values[Math.floor(value / e.of.bin_cycles)];
    return (together ? `cycles ${i * of.bin_cycles} to ${binEnd(of, i) - 1}` : `cycle ${Math.floor(value)}`) + '\n' +
      entries.map(e => `${e.name}: ${say(e) === undefined ? 'has ended' : short(say(e))}`).join('\n');
  });
}

// Causes by their meaning, each with its colour: parts of stacks and of critical paths, and stalls.
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
const colorOf = part => (Object.values(kinds).find(([, parts]) => parts.includes(part)) || ['g'])[0];
// A bar per row [name, cycles, {part: cycles}], in % of its cycles; parts without a kind are 'other'; the pointer shows
// the names of the parts.
function bars(id, title, text, rows, left = LEFT + 110) {
  const height = TOP + BOTTOM + rows.length * 22;
  const known = new Set(Object.values(kinds).flatMap(([, parts]) => parts));
  const others = [...new Set(rows.flatMap(([, , parts]) => Object.keys(parts)))].filter(part => !known.has(part));
  const entries = Object.entries({...kinds, other: ['g', others]}).map(([name, [color, parts]]) => ({name, color, parts}))
    .filter(e => rows.some(([, , parts]) => e.parts.some(p => parts[p])));
  const c = chart(id, title, text, {x: [0, 100], y: null, xlabel: '% of the cycles', ylabel: '', height, left});
  rows.forEach(([name], i) => make(c.svg, 'text', {x: left - 6, y: TOP + i * 22 + 15, 'text-anchor': 'end'}, name));
  const draw = () => {
    c.body.replaceChildren();
    rows.forEach(([, all, parts], i) => {
      let from = 0;
      for (const entry of entries) {
        for (const part of entry.parts) {
          const share = 100 * (parts[part] || 0) / all;
          if (share && !entry.off) make(c.body, 'rect', {x: c.x(from), width: Math.max(c.x(from + share) - c.x(from) - .6, .4), y: TOP + i * 22 + 3, height: 16,
            fill: `var(--${entry.color})`});
          from += share;
        }
      }
    });
  };
  legend(c, entries, draw);
  draw();
  hover(c, [0, 100], (value, py) => {
    const row = rows[Math.floor((py - TOP) / 22)];
    return row ? row[0] + '\n' + Object.entries(row[2]).filter(p => p[1]).sort((a, b) => b[1] - a[1])
      .map(([n, v]) => `${n}: ${short(v)} cycles, ${(100 * v / row[1]).toFixed(1)} %`).join('\n') : '';
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

// Calls `all`, which draws every plot, now and after changes of the page's width.
function keepDrawn(all) {
  const draw = () => {
    place = plots;
    for (const each of [plots, more]) each.replaceChildren();
    all();
    charts.hidden = !more.firstChild;
  };
  draw();
  addEventListener('resize', () => {
    if (W === fit()) return;
    W = fit();
    draw();
  });
}
