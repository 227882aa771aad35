// SPDX-License-Identifier: Apache-2.0
// Draws frame.html after page.js: the picture, the draws over time, the tables.
const draws = data.draws;

// Values that were not measured are undefined: draws that did not run have no cycles.
const sum = (list, value) => list.reduce((total, each) => total + (value(each) || 0), 0);
const full = n => Math.round(n).toLocaleString('en');
const percent = (part, whole) => whole && part !== undefined ? (100 * part / whole).toFixed(1) + ' %' : '';
const few = n => n === undefined ? '' : n >= 100 ? full(n) : String(+n.toPrecision(3));

const cycles = sum(draws, d => d.cycles), lineCycles = sum(draws, d => d.line_cycles);
const together = !data.machine.problem;
const programs = d => d.stages.map(s => `${s.stage} ${s.program}`).join(', ') || 'none';
const vertices = d => d.vertices * d.instances;
const invocations = d => d.invocations && sum(Object.values(d.invocations), n => n);
const measures = {
  'cycles per vertex': d => d.cycles === undefined ? undefined : vertices(d) ? d.cycles / vertices(d) : 0,
  'cycles of the draw': d => d.cycles,
  'lines x cycles of the draw': d => d.line_cycles,
};
// The meshlet of each edge of a draw, and its cost. Only the first 4096 meshlets are known.
const meshletMeasure = 'cycles of the meshlet';
for (const d of draws.filter(d => d.picture.meshlets)) {
  measures[meshletMeasure] = () => 0;
  const ends = [];
  for (const [primitives] of d.picture.meshlets) ends.push((ends.length ? ends[ends.length - 1] : 0) + primitives);
  let at = 0;
  d.meshletOf = d.picture.primitive_of.map(p => { while (at < ends.length && p >= ends[at]) ++at; return at; });
}
const meshletCost = (d, edge) => (d.picture.meshlets[d.meshletOf[edge]] || [0, 0])[1];
// Edges of one colour: [draw, first edge, edge after the last, cost].
function edgesByCost(d) {
  const edges = d.picture.edges.length / 4;
  if (measure !== meshletMeasure || !d.meshletOf) return [[d, 0, edges, measures[measure](d)]];
  const found = [];
  for (let from = 0, to = 0; from < edges; from = to) {
    while (to < edges && d.meshletOf[to] === d.meshletOf[from]) ++to;
    found.push([d, from, to, meshletCost(d, from)]);
  }
  return found;
}
// The stall with the most cycles, as counted by schedulers and the launch of warps.
function topStall(d) {
  const found = Object.entries(d.stalls || {}).sort((a, b) => b[1] - a[1])[0];
  return found && found[1] ? found[0] : '';
}

function verdict() {
  const frames = new Set(draws.map(d => d.frame)), most = draws.reduce((a, b) => b.cycles > (a.cycles || 0) ? b : a);
  const groups = grouped(), failed = draws.filter(d => d.status !== 0).length;
  const alone = sum(draws.filter(d => d.status === 0), d => d.cycles);
  const where = frames.size === 1 ? `Frame ${[...frames][0]}` : `${frames.size} frames`;
  const on = data.config ? ` on ${data.config.sm_count} SM${data.config.sm_count > 1 ? 's' : ''} (back end ${data.backend})` : '';
  const words = [(data.machine.estimate ? `${data.machine.estimate} ` : '') + `${where}: ${full(draws.length)} draws, ` + (together
    ? `${full(data.machine.cycles)} cycles back to back on one machine${on}` + (data.config && data.config.pe.draws === 'drain'
      ? ', each when the one before has left.' : '; draws overlap.')
    : `which did not run back to back on one machine: ${data.machine.problem}.`) +
    (alone ? ` Each alone on an idle machine: ${full(alone)} cycles${together ? '' : on}${failed ? ' for those that ended well' : ', which the tables show'}.` : '')];
  // Draws that differ by less than a hundredth count as equal.
  const top = draws.filter(d => d.cycles >= .99 * most.cycles).length, share = percent(most.cycles, cycles);
  if (!failed && cycles && draws.length > 1) {
    const alike = 'Of the cycles that the draws take alone, ' + (top === 1 ? `draw ${most.draw} takes the most, ${share}` :
      top < draws.length ? `the ${top} longest draws take ${share} each` : `all draws take about the same, ${share} each`);
    const [first] = groups, count = first.list.length;
    const group = groups.length === 1 ? `; all are of ${first.name}` : count === 1 ? '' :
      `; the ${full(count)} draws of ${first.name} take ${percent(first.cycles, cycles)} together`;
    words.push(`${alike}${group}.`);
  }
  if (failed) words.push(`${failed} draw${failed > 1 ? 's' : ''} did not end well: see the status.`);
  words.forEach(say);
}
function grouped() {
  const groups = new Map();
  for (const d of draws) {
    const name = programs(d);
    if (!groups.has(name)) groups.set(name, {name, list: []});
    groups.get(name).list.push(d);
  }
  for (const g of groups.values()) {
    const ran = g.list.filter(d => d.cycles !== undefined);
    if (!ran.length) continue;
    g.cycles = sum(ran, d => d.cycles);
    g.perVertex = g.cycles / Math.max(sum(ran, vertices), 1);
  }
  return [...groups.values()].sort((a, b) => (b.cycles || 0) - (a.cycles || 0));
}

// Cividis with lighter blues, because the background is dark; colour-blind readers see the same.
const lightCividis = [[84, 124, 196], [122, 144, 160], [165, 160, 135], [212, 194, 105], [254, 232, 56]];
let chosen = null, measure = measures[meshletMeasure] ? meshletMeasure : Object.keys(measures)[0];
const rows = new Map();
function choose(d, scroll) {
  chosen = chosen === d ? null : d;
  for (const [draw, row] of rows) row.classList.toggle('shown', draw === chosen);
  if (chosen && scroll) {
    rows.get(chosen).closest('details').open = true;
    rows.get(chosen).scrollIntoView({block: 'center'});
  }
  paint();
}
const sayDraw = d => `draw ${d.draw}: ${d.topology}, ${full(vertices(d))} vertices, ${programs(d)}\n` + (d.cycles === undefined ? 'did not run' : `${full(d.cycles)} cycles, ${percent(d.cycles, cycles)}`);

// ---- the picture -----------------------------------------------------------------------------------------------------
const SIDE = 1000;
let canvas;
const onCanvas = (x, y) => [(x / data.unit + 1) / 2 * SIDE, (1 - y / data.unit) / 2 * SIDE];
function paint() {
  if (!canvas) return;
  const pen = canvas.getContext('2d'), all = draws.flatMap(edgesByCost);
  const ranked = unique(all.filter(([, from, to, cost]) => to > from && cost > 0).map(part => part[3])).sort((a, b) => a - b), rankOf = new Map(ranked.map((v, i) => [v, i]));
  pen.fillStyle = '#101418';
  pen.fillRect(0, 0, SIDE, SIDE);
  for (const [d, from, to, cost] of [...all.filter(([d]) => d !== chosen), ...all.filter(([d]) => d === chosen)]) {
    // By rank, so that a single costly draw does not make all others look equal; of values, because many draws share one.
    const rank = ranked.length > 1 ? (rankOf.get(cost) || 0) / (ranked.length - 1) : 1;
    pen.strokeStyle = pen.fillStyle = d === chosen ? '#ff5a36' : ramp(lightCividis, rank);
    pen.globalAlpha = chosen && d !== chosen ? .25 : .8;
    pen.lineWidth = d === chosen ? 2.5 : 1.5;
    const e = d.picture.edges;
    pen.beginPath();
    for (let i = 4 * from; i < 4 * to; i += 4) {
      const [x0, y0] = onCanvas(e[i], e[i + 1]), [x1, y1] = onCanvas(e[i + 2], e[i + 3]);
      if (x0 === x1 && y0 === y1) { pen.fillRect(x0 - 1, y0 - 1, 2, 2); continue; }
      pen.moveTo(x0, y0);
      pen.lineTo(x1, y1);
    }
    pen.stroke();
  }
  pen.globalAlpha = 1;
}
function nearest(px, py) {
  let best = [null], distance = 8;
  for (const d of draws) {
    const e = d.picture.edges;
    for (let i = 0; i < e.length; i += 4) {
      const [x0, y0] = onCanvas(e[i], e[i + 1]), [x1, y1] = onCanvas(e[i + 2], e[i + 3]);
      const dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
      const t = length ? Math.min(Math.max(((px - x0) * dx + (py - y0) * dy) / length, 0), 1) : 0;
      const away = Math.hypot(px - x0 - t * dx, py - y0 - t * dy);
      if (away < distance) [best, distance] = [[d, i / 4], away];
    }
  }
  return best;
}
function picture() {
  const node = figure('wires', 'What was streamed out.', ''), caption = node.firstChild;
  const primitives = sum(draws, d => d.picture.primitives), behind = sum(draws, d => d.picture.behind);
  const thinned = draws.filter(d => d.picture.every > 1).length, without = draws.filter(d => !d.picture.positions).length;
  caption.append(`Stream 0 of ${full(primitives)} primitives: positions divided by w, the square is all of normalised device coordinates; no viewport, clipping, culling or depth. ` +
    (thinned ? `Of ${thinned} large draws only a part is drawn. ` : '') + (behind ? `${full(behind)} primitives reach behind the eye and are left out. ` : '') +
    (without ? `${without} draws have no position among what they stream out. ` : '') + 'Brighter: more cycles, by rank among the values of this frame. ');
  const select = make(caption, 'select', {'aria-label': 'colour by'});
  for (const name in measures) make(select, 'option', {}, name);
  select.value = measure;
  select.onchange = () => { measure = select.value; paint(); };
  if (!primitives) return;
  canvas = make(node, 'canvas', {id: 'picture', width: SIDE, height: SIDE});
  const at = event => { const box = canvas.getBoundingClientRect(); return nearest((event.clientX - box.left) / box.width * SIDE, (event.clientY - box.top) / box.height * SIDE); };
  const meshlet = (d, edge) => d.meshletOf && d.picture.meshlets[d.meshletOf[edge]] ? `\nmeshlet ${d.meshletOf[edge]}: ${full(meshletCost(d, edge))} cycles` : '';
  canvas.onpointermove = event => { const [d, edge] = at(event); show(event, d ? sayDraw(d) + meshlet(d, edge) : ''); };
  canvas.onpointerleave = event => show(event, '');
  canvas.onclick = event => { const [d] = at(event); if (d) choose(d, true); };
  paint();
}

// ---- the draws over time ---------------------------------------------------------------------------------------------
function bands() {
  if (!together && !cycles) return;
  // The programs with the most cycles have a shade each, the others share the last.
  const programsOf = grouped().map(g => g.name), shades = Math.min(programsOf.length, 8), lines = data.config ? data.config.isbe.lines * data.config.sm_count : 1;
  const share = d => d.cycles ? 100 * d.line_cycles / d.cycles / lines : 0, entries = programsOf.slice(0, shades).map((name, i) => ({
    name: i + 1 < shades || programsOf.length === shades ? name : `${programsOf.length - i} others`, fill: shade(i, shades), opacity: .7}));
  const c = chart('bands', 'Draws over time.', (together ? 'On one machine, from the first fetch to the last vertex: what overlaps is denser. ' : 'One after the other, as wide as their cycles alone. ') +
    'Shades tell programs apart, height is the mean share of ISBE lines in use by the draw alone. A click shows the row.',
    {x: [0, Math.max(together ? data.machine.cycles : cycles, 1)], y: [0, Math.max(...draws.map(share), 1e-9) * 1.1], xlabel: timeLabel, ylabel: '% of the ISBE lines', height: 220});
  const draw = () => {
    c.body.replaceChildren();
    let from = 0;
    for (const d of draws) {
      if ((together ? d.begin : d.cycles) === undefined) continue;
      const [start, end] = together ? [d.begin, d.end] : [from, from + d.cycles], entry = entries[Math.min(programsOf.indexOf(programs(d)), shades - 1)];
      from += d.cycles;
      if (entry.off) continue;
      const bar = make(c.body, 'rect', {x: c.x(start), width: Math.max(c.x(end) - c.x(start), .2), y: c.y(share(d)), height: Math.max(c.y(0) - c.y(share(d)), 2),
        'fill-opacity': entry.opacity, fill: entry.fill});
      bar.onpointermove = event => show(event, sayDraw(d) + `\ncycles ${full(start)} to ${full(end)}, ${few(share(d))} % of the lines`);
      bar.onpointerleave = event => show(event, '');
      bar.onclick = () => choose(d, true);
    }
  };
  if (entries.length > 1) legend(c.figure, entries, draw);
  draw();
}

// ---- tables ----------------------------------------------------------------------------------------------------------
function section(title, text, list, columns, order, row) {
  const into = folded(title);
  make(into, 'p', {}, text);
  table(into, list, columns, order, row);
}
function linkOf(d) {
  const a = document.createElement('a');
  a.textContent = d.draw;
  a.href = d.link;
  a.onclick = event => event.stopPropagation();
  return a;
}
function bindings(d) {
  const hex = n => '0x' + n.toString(16).padStart(3, '0');
  const words = [`attributes ${d.attributes.map(([a, n]) => `${hex(a)} (${n})`).join(', ') || 'none'}`];
  for (const s of d.stages) {
    words.push(`${s.stage}: program ${s.program}, ${s.instructions} instructions` +
      (s.constants.length ? ', constants ' + s.constants.map(([bank, bytes]) => `c${bank} ${full(bytes)} bytes`).join(', ') : ''));
  }
  words.push(`captures ${d.captured} columns`);
  if (d.problem) words.push(d.problem);
  return words.join('; ');
}
function allTables() {
  section('By programs', 'Draws that share all of their programs. Numbers of programs are those of capture-info.', grouped(), [
    ['programs', 'stage and number', g => g.name],
    ['draws', 'that use them', g => g.list.length],
    ['vertices', 'of the draws, all instances', g => sum(g.list, vertices)],
    ['cycles', 'of the draws', g => g.cycles],
    ['share', 'of all cycles', g => g.cycles, g => percent(g.cycles, cycles)],
    ['cycles per vertex', 'cycles / vertices', g => g.perVertex, g => few(g.perVertex)],
    ['lines x cycles', 'ISBE lines in use, summed over the cycles: share of all', g => sum(g.list, d => d.line_cycles), g => g.cycles === undefined ? '' : percent(sum(g.list, d => d.line_cycles), lineCycles)],
  ], [3, true]);
  if (data.lines.length) section('Where in the programs', 'Instructions that were issued (--profile), of all draws with the program; a draw\'s own report says why.', data.lines, [
    ['instruction', 'stage, address and text', l => l.text],
    ['program', 'its number', l => l.program],
    ['draws', 'that issued it', l => l.draws],
    ['cycles lost', 'by warps before its issue', l => l.lost],
    ['issues', 'by warps', l => l.issues],
    ['passes', 'cycles of the pass engine', l => l.passes],
  ], [3, true]);
  section('Draws', 'The number leads to the draw\'s own report; a click on the row marks it in the picture and says what it binds.', draws, [
    ['draw', 'number in the capture', d => d.draw, linkOf],
    ['frame', 'that it belongs to', d => d.frame],
    ['topology', 'as drawn', d => d.topology + (d.indexed ? ', indexed' : '')],
    ['vertices', 'of all instances', vertices],
    ['threads', 'launched in all stages', invocations],
    ['programs', 'stage and number', programs],
    ['ISBE lines', 'that a warp needs, by stage', d => sum(d.stages, s => s.lines), d => d.problem ? '' : d.stages.map(s => s.lines).join(' + ')],
    ['cycles', 'of the draw', d => d.cycles],
    ['share', 'of all cycles', d => d.cycles, d => percent(d.cycles, cycles)],
    ['cycles per vertex', 'cycles / vertices', measures['cycles per vertex'], d => few(measures['cycles per vertex'](d))],
    ['lines x cycles', 'ISBE lines in use, summed over the cycles', d => d.line_cycles],
    ['most stalls', 'what the most stall cycles are counted under', topStall],
    ['notes', 'exit status, traps, warnings', d => [[d.status, 'status ' + d.status], [d.traps, `${d.traps} traps`], [d.warnings, `${d.warnings} warnings`]].filter(([n]) => n).map(([, text]) => text).join(', ')],
  ], [7, true], (d, tr) => {
    rows.set(d, tr);
    tr.title = bindings(d);
    tr.onclick = () => {
      const open = chosen !== d;
      document.querySelectorAll('tr.sub').forEach(each => each.remove());
      choose(d, false);
      if (!open) return;
      const sub = document.createElement('tr');
      sub.className = 'sub';
      make(sub, 'td', {colspan: 13}, bindings(d));
      tr.after(sub);
    };
  });
}

verdict();
allTables();
keepDrawn(() => {
  picture();
  bands();
});
