// SPDX-License-Identifier: Apache-2.0
// Draws the charts of report.html from parts of the report itself, after page.js.
const report = data;
const series = report.series, bin = series.bin_cycles, cycles = report.cycles;
// The simulator's description of a figure: {unit, description}.
const about = key => report.figures[key];
const time = [0, Math.max(cycles, 1)], binLength = i => binEnd(series, i) - i * bin;
const inRun = entries => entries.map(entry => ({...entry, of: series}));

function bandwidth() {
  const config = report.config, width = 4 * (config.isbe.access === 'line' ? 32 : config.isbe.banks);
  const peak = width * report.isbes, rate = values => perCycle(series, values);
  overTime('bandwidth', 'Bandwidth over time.', `Read: ${about('bandwidth.read.bytes').description}. Written: ${about('bandwidth.write.bytes').description}. Both share the peak, ${peak} bytes per cycle.`,
    about('bandwidth.read.bytes_per_cycle').unit, inRun([{name: 'read', color: 'x', values: rate(series.read_bytes)},
                        {name: 'written', color: 'y', values: rate(series.write_bytes)}]),
    {time, stack: true, limit: peak, limitName: `peak ${peak}`, showLimit: true});
}

function occupancy() {
  const lines = report.config.isbe.lines * report.isbes;
  overTime('occupancy', 'ISBE occupancy over time.', `Allocated lines, the mean of each bin; there are ${lines}.`, about('occupancy.isbe_lines_mean').unit,
    inRun([{name: 'ISBE lines', color: 'x', values: series.isbe_lines}]), {time, limit: lines, limitName: `all ${lines} lines`, height: 220});
  const slots = report.config.warps_per_sm * report.isbes;
  overTime('warps', 'Resident warps over time.', `Resident warps, the mean of each bin; there are ${slots} slots.`, about('occupancy.warps_mean').unit,
    inRun([{name: 'warps', color: 'x', values: series.warps}]), {time, limit: slots, limitName: `all ${slots} slots`, height: 220});
}

function stalls() {
  const rows = Object.entries(report.stalls).filter(([, value]) => value);
  if (!rows.length) return;
  bar('stalls', 'Stall breakdown.', 'Each is counted where it happens, in PE, ports and schedulers: they do not add up to the cycles. ' + report.covers.stalls,
    rows.map(([name, value]) => [name, value, `var(--${colorOf(name)})`, about('stalls.' + name).description]), `${about('stalls.' + rows[0][0]).unit}, all SMs`);
  const reasons = Object.entries(kinds).map(([kind, [color, parts]]) => [kind, color, parts.filter(part => any(series.stalls[part] || []))]).filter(r => r[2].length);
  if (reasons.length) overTime('stalls_over_time', 'Scheduler stalls over time.', 'Schedulers that had warps and issued nothing, by reason; a mean of the bin.',
    'schedulers', inRun(reasons.map(([kind, color, parts]) => ({name: `${kind} (${parts.join(', ')})`, color,
      values: perCycle(series, series.stalls[parts[0]].map((_, i) => parts.reduce((sum, part) => sum + series.stalls[part][i], 0)))}))), {time, stack: true});
}

function stacks() {
  bars('stacks', 'Where every cycle went.', 'Each bar is one resource over all cycles of the run; the table with this title explains the parts.',
    Object.entries(report.stacks).filter(([, s]) => s.cycles > 0).map(([name, s]) => [name, s.cycles, s.parts]));
}

// The first bar is the whole path, the bars below are its parts by stage.
function path() {
  const {cycles: all, parts} = report.critical_path;
  bars('path', 'The critical path.', 'What each cycle of the draw was for, from its end back to its start: the whole path, then what lies in each stage (vertex_input: the PE writes what vertex warps read, vertex_output: it reads what they left).',
    byStage(parts).map(([name, parts]) => [name, all, parts]));
}

// A bar for each bin [first, last, count] of whole numbers, centred on them; its height is the average count of a number
// in the bin, which is the count itself where every bin is one number.
function histogram(id, title, text, bins, xlabel, unit, ofOne) {
  const density = ([first, last, n]) => n / (last - first + 1), singles = bins.every(([first, last]) => first === last);
  const range = [bins[0][0] - .5, Math.max(bins[bins.length - 1][1], bins[0][0] + 7) + .5], high = Math.max(...bins.map(density)) * 1.4;
  const c = chart(id, title, singles ? text : `${text} The height of a bar is its ${unit} per ${ofOne} of its width.`,
    {x: range, y: [0, high], xlabel, ylabel: singles ? unit : `${unit} / ${ofOne}`, height: 220, right: 46});
  for (const one of bins)
    make(c.body, 'rect', {x: c.x(one[0] - .5), width: Math.max(c.x(one[1] + .5) - c.x(one[0] - .5) - 1, 1), y: c.y(density(one)),
      height: c.y(0) - c.y(density(one)), fill: 'var(--x)'});
  hover(c, value => {
    const [first, last, n] = bins.find(b => b[0] - .5 <= value && value < b[1] + .5) || [];
    return n === undefined ? '' : `${first === last ? first : `${first} to ${last}`}: ${n} ${unit}`;
  });
  return {c, range};
}

// Latency: one distribution per opcode that occurred, with its percentiles.
function latency() {
  // For a draw as seen by its warps, for a trace as seen by the port.
  const draw = Boolean(report.stalls), span = draw ? 'issue to write-back' : 'request to response at the port';
  const unit = draw ? about('latency.<opcode>.count').unit : 'operations';
  for (const [name, figures] of Object.entries(report.latency)) {
    if (figures.count === 0) continue;
    const {c, range} = histogram('latency_' + name, `Latency of ${name.toUpperCase()}.`,
      `${figures.count} ${figures.count === 1 ? unit.slice(0, -1) : unit}: p50 ${figures.p50}, p90 ${figures.p90}, p99 ${figures.p99}, longest ${figures.max} cycles.`,
      report.histograms.latency[name], `${about('latency.<opcode>.mean').unit} from ${span}`, unit, 'cycle');
    // Labels above the bars, each in the first row with room, with its line below.
    const ends = [0, 0, 0];
    for (const p of ['p50', 'p90', 'p99']) {
      const x = c.x(Math.min(figures[p], range[1])), row = ends.findIndex((_, i) => ends.slice(i).every(end => end < x));
      ends[row] = x + 34;
      make(c.body, 'line', {x1: x, x2: x, y1: TOP + row * 13, y2: c.y(0), stroke: 'var(--text)', 'stroke-width': 1.5});
      make(c.body, 'text', {x: x + 4, y: TOP + row * 13 + 10}, p);
    }
  }
}

const capital = text => text[0].toUpperCase() + text.slice(1);
const levelNames = {request_queue: ['Requests in the queue', 'request'], attribute_queue: ['Instructions in the attribute queue', 'instruction'],
  busy_banks: ['Busy banks', 'bank'], isbe_lines: ['ISBE lines in use', 'line'], warps: ['Resident warps', 'warp']};
// The other distributions: levels by cycles, busy banks by passes.
function levels() {
  for (const [name, value] of Object.entries(report.histograms)) {
    if (name === 'latency') continue;
    const [title, one] = levelNames[name], {unit, description} = about(Object.keys(report.figures).find(key => key.startsWith('histograms.' + name)));
    for (const [part, bins] of Array.isArray(value) ? [['', value]] : Object.entries(value))
      if (bins.some(([first, last, n]) => last && n)) // a level that stayed at 0 has no distribution
        histogram(`histogram_${name}${part}`, title + (part && ` of port ${part}`) + '.', `${capital(unit)} ${description}.`, bins, title, unit, one);
  }
}

// A row of coloured bins per unit, each row [name, values]; bright is `most`.
function heat(id, title, text, rows, ylabel, most, say) {
  const row = rows.length > 16 ? 9 : 16, height = TOP + BOTTOM + rows.length * row, every = rows.length > 16 ? 4 : 1;
  const c = chart(id, title, text, {x: time, y: null, xlabel: timeLabel, ylabel, height});
  c.svg.querySelectorAll('.grid').forEach(n => n.remove());
  rows.forEach((_, k) => k % every || make(c.svg, 'text', {x: LEFT - 6, y: TOP + k * row + row / 2 + 4, 'text-anchor': 'end'}, String(k)));
  const fill = (rows, most) => c.body.replaceChildren(...rows.flatMap((values, k) => values.map((n, i) => make(c.body, 'rect', {x: c.x(i * bin),
    width: c.x(binEnd(series, i)) - c.x(i * bin) + .4, y: TOP + k * row, height: row - 1, fill: ramp(cividis, most ? n / most : 0)}))));
  fill(rows, most);
  hover(c, (value, py) => {
    const k = Math.floor((py - TOP) / row), i = Math.floor(value / bin);
    return rows[k] && rows[k][i] !== undefined ? `${ylabel} ${k}, cycles ${i * bin} to ${binEnd(series, i) - 1}\n${say(k, i)}` : '';
  });
  return {c, row, fill};
}
function banks() {
  if (!series.bank_excess.some(any)) return;
  const rates = words => words.map(values => values.map((n, i) => n / binLength(i)));
  const words = {'lost to conflicts': rates(series.bank_excess), 'words served': rates(series.bank_words)};
  let shown = words['lost to conflicts'];
  const {c, fill} = heat('banks', 'Bank conflicts over time.', 'Per bank and bin, for every cycle: words beyond the ideal number of passes, for which the other banks waited, or all words served.',
    shown, 'bank', 1, (bank, i) => `${short(shown[bank][i])} words per cycle`);
  const key = make(c.figure, 'div', {class: 'legend'});
  c.figure.insertBefore(key, c.svg);
  const buttons = Object.keys(words).map(name => make(key, 'button', {type: 'button'}, name)), range = make(key, 'div', {});
  const draw = name => {
    shown = words[name];
    const most = Math.max(...shown.flat(), 0);
    buttons.forEach(b => b.setAttribute('aria-pressed', String(b.textContent === name)));
    range.textContent = `dark 0, bright ${short(most)} words per cycle`;
    fill(shown, most);
  };
  for (const button of buttons) button.onclick = () => draw(button.textContent);
  draw('lost to conflicts');
}

// A row per TPC: its resident warps over time, until it ends.
function tpcs() {
  const rows = series.tpc_warps, most = Math.max(...rows.flat(), 1);
  const {c, row} = heat('tpcs', 'TPCs over time.', `Resident warps of each TPC, by bin: dark none, bright ${short(most)}; a line where it ends.`, rows, 'TPC', most,
    (t, i) => `GPC ${report.tpcs[t].gpc}: ${short(rows[t][i])} warps; ends in cycle ${report.tpcs[t].cycles}`);
  rows.forEach((_, t) => {
    const end = c.x(report.tpcs[t].cycles);
    make(c.body, 'line', {x1: end, x2: end, y1: TOP + t * row, y2: TOP + (t + 1) * row - 1, stroke: '#fff', 'stroke-width': 2});
  });
}

function lives() {
  const rows = series.first_warps, stages = ['vertex_a', 'vertex', 'tess_init', 'tess', 'geometry', 'task', 'mesh'];
  const lanes = [...new Set(rows.map(r => r[0] * 64 + r[1]))].sort((a, b) => a - b), height = TOP + BOTTOM + Math.max(lanes.length, 4) * 9;
  const range = [0, Math.max(...rows.map(r => r[4]), 1)];
  const c = chart('lives', 'The first warps.', `Launch to completion of the first ${rows.length} warps by warp slot.`,
    {x: range, y: null, xlabel: timeLabel, ylabel: 'warp slot', height, left: LEFT + 20});
  lanes.forEach((lane, i) => i % 4 === 0 && make(c.svg, 'text', {x: LEFT + 14, y: TOP + i * 9 + 9, 'text-anchor': 'end'},
    (report.isbes > 1 ? `SM ${lane >> 6}: ` : '') + lane % 64));
  const drawn = stages.filter(name => rows.some(r => r[2] === name)), entries = drawn.map((name, i) => ({name, fill: shade(i, drawn.length)}));
  const draw = () => {
    c.body.replaceChildren();
    for (const entry of entries.filter(e => !e.off))
      for (const [sm, slot, stage, from, to] of rows)
        if (stage === entry.name) make(c.body, 'rect', {x: c.x(from), width: Math.max(c.x(to) - c.x(from), 1), y: TOP + lanes.indexOf(sm * 64 + slot) * 9 + 1,
          height: 7, fill: entry.fill, stroke: 'var(--soft)', 'stroke-width': .3});
  };
  legend(c.figure, entries, draw);
  draw();
  hover(c, (value, py) => {
    const lane = lanes[Math.floor((py - TOP) / 9)];
    const hit = rows.find(r => r[0] * 64 + r[1] === lane && r[3] <= value && value < r[4]);
    return hit ? `${hit[2]} warp, SM ${hit[0]}, slot ${hit[1]}\ncycles ${hit[3]} to ${hit[4]}` : '';
  });
}

const any = rows => rows.some(n => n);
function all() {
  if (series.tpc_warps) tpcs();
  if (report.stacks) stacks();
  if (report.critical_path) path();
  place = more;
  latency();
  levels();
  bandwidth();
  if (series.warps) {
    occupancy();
    stalls();
  }
  if (series.bank_words.some(any)) banks();
  if (series.first_warps && series.first_warps.length) lives();
}
keepDrawn(all);
