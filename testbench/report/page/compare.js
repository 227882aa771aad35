// SPDX-License-Identifier: Apache-2.0
// Draws the charts of compare.html, after page.js. Every result has a shade.
const {results, figures} = data, longest = Math.max(...results.map(r => r.cycles), 1);

// Rows of all results below each other, unless all do the same work; each bar is as long as its cycles.
function aligned(names, partsOf) {
  const rows = [], [, idle] = kinds['nothing to do'];
  for (const name of names) {
    const all = results.map(r => partsOf(r, name));
    const work = all.map(parts => parts && JSON.stringify(Object.entries(parts).filter(([part, n]) => n && !idle.includes(part))));
    if (work.every(each => each === work[0])) continue;
    results.forEach((r, i) => all[i] && rows.push([`${name} ${r.label}`, longest, all[i]]));
  }
  return rows;
}
const keysOf = objects => unique(objects.flatMap(each => Object.keys(each || {})));

function stacks() {
  const rows = aligned(keysOf(results.map(r => r.stacks)), (r, name) => r.stacks && r.stacks[name] && r.stacks[name].parts);
  bars('stacks', 'Where every cycle went.', 'Resources that changed, one bar per result. 100 % = the longest run.', rows);
}

function paths() {
  const stages = new Map(results.filter(r => r.critical_path).map(r => [r, new Map(byStage(r.critical_path.parts))]));
  const names = unique([...stages.values()].flatMap(of => [...of.keys()]));
  const rows = aligned(names, (r, name) => stages.has(r) ? stages.get(r).get(name) || {} : undefined);
  bars('path', 'The critical path.', 'The whole path, then the stages in which it changed, one bar per result. 100 % = the longest run.', rows);
}

function over(id, title, key, figure, values) {
  const entries = results.flatMap((r, i) => r.series && r.series[key] ? [{name: r.label, fill: shade(i, results.length), dash: dashes(i), of: r.series, values: values(r.series)}] : []);
  if (entries.length) overTime(id, title, 'The mean of each bin; each run from its own start.', figures[figure].unit, entries, {time: [0, longest], height: 220});
}

keepDrawn(() => {
  stacks();
  paths();
  over('read', 'Bytes read over time.', 'read_bytes', 'bandwidth.read.bytes_per_cycle', of => perCycle(of, of.read_bytes));
  over('written', 'Bytes written over time.', 'write_bytes', 'bandwidth.write.bytes_per_cycle', of => perCycle(of, of.write_bytes));
  over('occupancy', 'ISBE lines over time.', 'isbe_lines', 'occupancy.isbe_lines_mean', of => of.isbe_lines);
  over('warps', 'Resident warps over time.', 'warps', 'occupancy.warps_mean', of => of.warps);
});
