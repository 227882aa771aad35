// SPDX-License-Identifier: Apache-2.0
// Draws the plots of report.html from the report itself, with common.js before it. Plain SVG: a page that every run
// writes should stay small.
const report = JSON.parse(document.getElementById('report').textContent);
const series = report.series, bin = series.bin_cycles, cycles = report.cycles;
// What the simulator says of a figure: {unit, description}.
const about = key => report.figures[key];
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

// A figure with axes; returns scales and the node to draw into. `y` null: rows are named by the caller.
function chart(id, title, text, o) {
  const figure = make(plots, 'figure', {id});
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

// `text(x)` says what is under the pointer, at data coordinate x and svg coordinate y.
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

// Buttons that switch the groups of a plot on and off.
function legend(c, entries, change) {
  const box = make(c.figure, 'div', {class: 'legend'});
  c.figure.insertBefore(box, c.svg);
  for (const entry of entries) {
    const button = make(box, 'button', {'aria-pressed': 'true', type: 'button'});
    make(button, 'i', {style: `background:var(--${entry.color})`});
    button.append(entry.name);
    button.onclick = () => {
      entry.off = !entry.off;
      button.setAttribute('aria-pressed', String(!entry.off));
      change();
    };
  }
}

const time = [0, Math.max(cycles, 1)], timeLabel = 'cycle';
const binEnd = i => i + 1 < series.read_bytes.length ? (i + 1) * bin : i * bin + series.last_bin_cycles;
const binLength = i => binEnd(i) - i * bin;

// Steps over the bins; `stack` adds the entries up.
function overTime(id, title, text, ylabel, entries, o = {}) {
  const count = Math.max(...entries.map(e => e.values.length));
  const sums = Array.from({length: count}, (_, i) => entries.reduce((s, e) => s + (e.values[i] || 0), 0));
  const high = Math.max(o.limit && o.showLimit ? o.limit : 0, ...(o.stack ? sums : entries.flatMap(e => e.values)), 1e-9) * 1.05;
  const c = chart(id, title, text, {x: time, y: [0, high], xlabel: timeLabel, ylabel, height: o.height});
  const draw = () => {
    c.body.replaceChildren();
    const base = Array(count).fill(0);
    for (const entry of entries) {
      if (entry.off) continue;
      let upper = '', lower = '';
      for (let i = 0; i < count; ++i) {
        const from = c.x(i * bin), to = c.x(binEnd(i)), value = entry.values[i] || 0;
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
  hover(c, time, value => {
    const i = Math.min(Math.floor(value / bin), count - 1);
    return `cycles ${i * bin} to ${binEnd(i) - 1}\n` + entries.map(e => `${e.name}: ${short(e.values[i] || 0)}`).join('\n');
  });
}

function bandwidth() {
  const config = report.config, width = 4 * (config.isbe.access === 'line' ? 32 : config.isbe.banks);
  const peak = width * report.isbes, rate = values => values.map((v, i) => v / binLength(i));
  overTime('bandwidth', 'Bandwidth over time.', `Read: ${about('bandwidth.read.bytes').description}. Written: ${about('bandwidth.write.bytes').description}. Both share the peak, ${peak} bytes per cycle.`,
    about('bandwidth.read.bytes_per_cycle').unit, [{name: 'read', color: 'a', values: rate(series.read_bytes)},
                        {name: 'written', color: 'b', values: rate(series.write_bytes)}],
    {stack: true, limit: peak, limitName: `peak ${peak}`, showLimit: true});
}

function occupancy() {
  const lines = report.config.isbe.lines * report.config.sm_count;
  overTime('occupancy', 'ISBE occupancy over time.', `${about('occupancy.isbe_lines_mean').description}, by bin; of ${lines}.`, about('occupancy.isbe_lines_mean').unit,
    [{name: 'ISBE lines', color: 'c', values: series.isbe_lines}], {limit: lines, limitName: `all ${lines} lines`, height: 220});
  const slots = report.config.warps_per_sm * report.config.sm_count;
  overTime('warps', 'Resident warps over time.', `${about('occupancy.warps_mean').description}, by bin; of ${slots} slots.`, about('occupancy.warps_mean').unit,
    [{name: 'warps', color: 'a', values: series.warps}], {limit: slots, limitName: `all ${slots} slots`, height: 220});
}

// Reasons that are shown over time have a colour each.
const stallColors = Object.fromEntries(Object.keys(series.stalls || {}).map((name, i) => [name, 'bacdfg'[i % 6]]));
function stalls() {
  const rows = Object.entries(report.stalls), height = TOP + BOTTOM + rows.length * 22;
  const range = [0, Math.max(...rows.map(r => r[1]), 1) * 1.05];
  const left = LEFT + 60;
  const c = chart('stalls', 'Stall breakdown.', 'Each is counted where it happens, in PE, ports and schedulers: they do not add up to the cycles. ' + report.covers.stalls,
    {x: range, y: null, xlabel: `${about('stalls.' + rows[0][0]).unit}, all SMs`, ylabel: '', height, left, right: 80});
  rows.forEach(([name, value], i) => {
    const y = TOP + i * 22;
    const bar = make(c.body, 'rect', {x: left, y: y + 3, width: c.x(value) - left, height: 16, fill: `var(--${stallColors[name] || 'e'})`});
    const label = make(c.body, 'text', {x: left - 6, y: y + 15, 'text-anchor': 'end'}, name);
    for (const node of [bar, label]) make(node, 'title', {}, about('stalls.' + name).description);
    make(c.body, 'text', {x: c.x(value) + 6, y: y + 15}, short(value));
  });
  overTime('stalls_over_time', 'Scheduler stalls over time.', 'Schedulers that had warps and issued nothing, by reason; a mean of the bin.',
    'schedulers', Object.entries(series.stalls).map(([name, values]) =>
      ({name, color: stallColors[name], values: values.map((v, i) => v / binLength(i))})), {stack: true});
}

// A bar per row [name, cycles, {part: cycles}], in % of its cycles. `kinds` = {name: [colour, parts]}: parts of a kind
// share a colour, those that no kind names are 'other'; the pointer tells them apart.
function bars(id, title, text, rows, kinds) {
  const height = TOP + BOTTOM + rows.length * 22, left = LEFT + 110;
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
            fill: `var(--${entry.color})`, 'fill-opacity': entry.color === 'g' ? .35 : 1});
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

function stacks() {
  bars('stacks', 'Where every cycle went.', 'Each bar is one resource over all cycles of the run; what the parts are stands above the table of the same name.',
    Object.entries(report.stacks).filter(([, s]) => s.cycles > 0).map(([name, s]) => [name, s.cycles, s.parts]), {
      'works': ['a', ['issue', 'passes', 'fetch']],
      'bank conflicts': ['b', ['bank_conflict']],
      'waits for data': ['c', ['scoreboard', 'latency', 'response', 'drain']],
      'waits for room': ['d', ['isbe_full', 'warp_slot', 'attribute_queue', 'responses_full', 'output_order']],
      'waits for its turn': ['e', ['stall_count', 'grant', 'other_port']],
      'nothing to do': ['g', ['no_warp', 'no_request', 'no_vertices', 'idle', 'none_waits']],
    });
}

// The first bar is the whole path, those below it are its parts by stage.
function path() {
  const {cycles: all, parts} = report.critical_path, whole = {}, stages = {};
  for (const [name, value] of Object.entries(parts)) {
    const [reason, stage] = name.split('.');
    whole[reason] = (whole[reason] || 0) + value;
    (stages[stage] = stages[stage] || {})[reason] = value;
  }
  const size = parts => Object.values(parts).reduce((sum, n) => sum + n, 0);
  const rows = Object.entries(stages).sort((a, b) => size(b[1]) - size(a[1]));
  bars('path', 'The critical path.', 'What each cycle of the draw was for, from its end back to its start: the whole path, then what lies in each stage (vertex_input: the PE writes what vertex warps read, vertex_output: it reads what they left).',
    [['the draw', whole], ...rows].map(([name, parts]) => [name, all, parts]), {
      'works': ['a', ['issue', 'passes', 'fetch']],
      'bank conflicts': ['b', ['bank_conflict']],
      'latencies': ['c', ['pipeline_latency', 'write_latency', 'al2p_latency', 'out_latency', 'alu_latency', 'variable_latency',
        'memory_latency', 'global_latency', 'texture_latency', 'global_memory']],
      'waits for room': ['d', ['attribute_queue', 'request_queue', 'responses_full', 'isbe_lines', 'warp_slot']],
      'waits for its turn': ['e', ['stall_count', 'issue_slot', 'grant', 'request_channel', 'response_channel', 'consumer']],
      'hands over': ['f', ['launch', 'read_release', 'write_back', 'attribute_unit', 'completion']],
    });
}

// Latency: one distribution per opcode that occurred, with its percentiles.
function latency() {
  // Of a draw as its warps see it, of a trace as the port does.
  const draw = Boolean(report.stalls), span = draw ? 'issue to write-back' : 'request to response at the port';
  const unit = draw ? about('latency.<opcode>.count').unit : 'operations';
  for (const [name, figures] of Object.entries(report.latency)) {
    if (figures.count === 0) continue;
    const {class_cycles, counts} = series.latency[name], first = counts.findIndex(n => n > 0);
    const range = [first * class_cycles, Math.max(counts.length, first + 8) * class_cycles], high = Math.max(...counts) * 1.4;
    const c = chart('latency_' + name, `Latency of ${name.toUpperCase()}.`,
      `${figures.count} ${unit}: p50 ${figures.p50}, p90 ${figures.p90}, p99 ${figures.p99}, longest ${figures.max} cycles.`,
      {x: range, y: [0, high], xlabel: `${about('latency.<opcode>.mean').unit} from ${span}`, ylabel: unit, height: 220, right: 46});
    counts.forEach((n, i) => n && make(c.body, 'rect', {x: c.x(i * class_cycles), width: Math.max(c.x(class_cycles) - c.x(0) - 1, 1),
      y: c.y(n), height: c.y(0) - c.y(n), fill: 'var(--a)'}));
    // Above the bars, each in the first row where it has room, and its line below.
    const ends = [0, 0, 0];
    for (const p of ['p50', 'p90', 'p99']) {
      const x = c.x(Math.min(figures[p] + .5, range[1])), row = ends.findIndex((_, i) => ends.slice(i).every(end => end < x));
      ends[row] = x + 34;
      make(c.body, 'line', {x1: x, x2: x, y1: TOP + row * 13, y2: c.y(0), stroke: 'var(--b)', 'stroke-width': 1.5});
      make(c.body, 'text', {x: x + 4, y: TOP + row * 13 + 10}, p);
    }
    hover(c, range, value => {
      const i = Math.floor(value / class_cycles);
      return counts[i] === undefined ? '' : `${i * class_cycles} to ${(i + 1) * class_cycles - 1} cycles: ${counts[i]} ${unit}`;
    });
  }
}

// Cividis, which reads the same to colour-blind eyes.
const cividis = [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56]];
function banks() {
  const count = series.bank_words.length, row = count > 16 ? 9 : 16, height = TOP + BOTTOM + count * row;
  const kinds = {'lost to conflicts': series.bank_excess, 'words served': series.bank_words};
  const c = chart('banks', 'Bank conflicts over time.', 'Per bank and bin, for every cycle: words beyond the ideal number of passes, for which the other banks waited, or all words served.',
    {x: time, y: null, xlabel: timeLabel, ylabel: 'bank', height});
  c.svg.querySelectorAll('.grid').forEach(n => n.remove());
  for (let b = 0; b < count; b += count > 8 ? 4 : 1)
    make(c.svg, 'text', {x: LEFT - 6, y: TOP + b * row + row / 2 + 4, 'text-anchor': 'end'}, String(b));
  let shown, scale;
  const key = make(c.figure, 'div', {class: 'legend'});
  c.figure.insertBefore(key, c.svg);
  const buttons = Object.keys(kinds).map(name => {
    const button = make(key, 'button', {type: 'button'}, name);
    button.onclick = () => draw(name);
    return button;
  });
  const range = make(key, 'div', {});
  const draw = name => {
    shown = name;
    buttons.forEach(b => b.setAttribute('aria-pressed', String(b.textContent === name)));
    scale = Math.max(...kinds[name].flatMap(v => v.map((n, i) => n / binLength(i))), 0);
    range.textContent = scale ? `dark 0, bright ${short(scale)} words per cycle` : 'none in this run';
    c.body.replaceChildren();
    kinds[name].forEach((values, b) => values.forEach((n, i) => make(c.body, 'rect', {
      x: c.x(i * bin), width: c.x(binEnd(i)) - c.x(i * bin) + .4, y: TOP + b * row, height: row, fill: ramp(cividis, scale ? n / binLength(i) / scale : 0)})));
  };
  draw(kinds['lost to conflicts'].flat().some(n => n) ? 'lost to conflicts' : 'words served');
  hover(c, time, (value, py) => {
    const b = Math.floor((py - TOP) / row), i = Math.floor(value / bin), n = (kinds[shown][b] || [])[i];
    return n === undefined ? '' : `bank ${b}, cycles ${i * bin} to ${binEnd(i) - 1}\n${short(n / binLength(i))} words per cycle`;
  });
}

function lives() {
  const rows = series.first_warps, colors = {vertex_a: 'g', vertex: 'a', tess_init: 'e', tess: 'd', geometry: 'b', task: 'f', mesh: 'c'};
  const lanes = [...new Set(rows.map(r => r[0] * 64 + r[1]))].sort((a, b) => a - b), height = TOP + BOTTOM + Math.max(lanes.length, 4) * 9;
  const range = [0, Math.max(...rows.map(r => r[4]), 1)];
  const c = chart('lives', 'The first warps.', `Launch to completion of the first ${rows.length} warps by warp slot.`,
    {x: range, y: null, xlabel: timeLabel, ylabel: 'warp slot', height, left: LEFT + 20});
  lanes.forEach((lane, i) => i % 4 === 0 && make(c.svg, 'text', {x: LEFT + 14, y: TOP + i * 9 + 9, 'text-anchor': 'end'},
    (report.config.sm_count > 1 ? `SM ${lane >> 6}: ` : '') + lane % 64));
  const entries = [...new Set(rows.map(r => r[2]))].map(name => ({name, color: colors[name] || 'g'}));
  const draw = () => {
    c.body.replaceChildren();
    for (const entry of entries.filter(e => !e.off))
      for (const [sm, slot, stage, from, to] of rows)
        if (stage === entry.name) make(c.body, 'rect', {x: c.x(from), width: Math.max(c.x(to) - c.x(from), 1), y: TOP + lanes.indexOf(sm * 64 + slot) * 9 + 1,
          height: 7, fill: `var(--${entry.color})`});
  };
  legend(c, entries, draw);
  draw();
  hover(c, range, (value, py) => {
    const lane = lanes[Math.floor((py - TOP) / 9)];
    const hit = rows.find(r => r[0] * 64 + r[1] === lane && r[3] <= value && value < r[4]);
    return hit ? `${hit[2]} warp, SM ${hit[0]}, slot ${hit[1]}\ncycles ${hit[3]} to ${hit[4]}` : '';
  });
}

const any = rows => rows.some(n => n);
function all() {
  if (report.stacks) stacks();
  if (report.critical_path) path();
  latency();
  if (any(series.read_bytes) || any(series.write_bytes)) bandwidth();
  if (series.warps) {
    occupancy();
    stalls();
  }
  if (series.bank_words.some(any)) banks();
  if (series.first_warps) lives();
}
all();
addEventListener('resize', () => {
  if (W === fit()) return;
  W = fit();
  plots.replaceChildren();
  all();
});
