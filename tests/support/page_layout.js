// SPDX-License-Identifier: Apache-2.0
// Put into a page by its tests: the text that can't be read in this window, a line each, in an element 'layout'.
addEventListener('load', () => setTimeout(() => {
  for (const each of document.querySelectorAll('details')) each.open = true;
  const problems = [];
  const quoted = (text, box) => `'${text.trim().slice(0, 60)}' at ${Math.round(box.left)},${Math.round(box.top)}`;
  const shown = node => node.getClientRects().length && getComputedStyle(node).visibility !== 'hidden' &&
    !node.closest('details:not([open]) > ul, #tip');

  // Text of drawings: as large as people read, inside of its drawing, over no other.
  const labels = [...document.querySelectorAll('svg text')].filter(node => node.textContent.trim() && shown(node)).map(node => {
    const box = node.getBoundingClientRect(), matrix = node.getScreenCTM();
    return { box, text: node.textContent, scale: Math.hypot(matrix.a, matrix.b), size: parseFloat(getComputedStyle(node).fontSize),
             slanted: Math.min(Math.abs(matrix.a), Math.abs(matrix.b)) > .01,
             drawing: node.closest('figure') || node.ownerSVGElement, frame: node.ownerSVGElement.getBoundingClientRect() };
  });
  for (const { box, text, scale, size, frame } of labels) {
    if (scale * size < 9) problems.push(`${(scale * size).toFixed(1)} pixels high: ${quoted(text, box)}`);
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
      problems.push(`cut: ${quoted(text, box)}`);
  }
  const together = (a, b, x, y) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > x && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > y;
  labels.forEach((one, i) => labels.slice(i + 1).forEach(other => {
    if (one.drawing === other.drawing && !(one.slanted && other.slanted) && together(one.box, other.box, 2, 4))
      problems.push(`over each other: ${quoted(one.text, one.box)} and ${quoted(other.text, other.box)}`);
  }));

  // Text of the page: nothing beside the window, nothing cut off, no table that a wide window could show whole.
  if (document.documentElement.scrollWidth > innerWidth + 1) problems.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const node of document.querySelectorAll('h1, h2, p, li, figcaption, button, select, .legend, .keys'))
    if (shown(node) && node.scrollWidth > node.clientWidth + 1 && node.clientWidth) problems.push(`cut: ${quoted(node.textContent, node.getBoundingClientRect())}`);
  for (const node of document.querySelectorAll('.wide'))
    if (innerWidth >= 1200 && node.scrollWidth > node.clientWidth + 1) problems.push(`cut table: ${quoted(node.textContent, node.getBoundingClientRect())}`);
  const result = document.createElement('pre');
  result.id = 'layout';
  result.textContent = `${labels.length} labels\n` + problems.join('\n');
  document.body.replaceChildren(result);
}, 1500));
