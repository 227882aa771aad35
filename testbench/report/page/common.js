// SPDX-License-Identifier: Apache-2.0
// Functions that the pages' scripts share.
'use strict';
const plots = document.getElementById('plots'), tip = document.getElementById('tip');
// Width of the page, so that text keeps its size.
const fit = () => Math.min(Math.max(plots.clientWidth, 320), 960);
const SVG = new Set(['svg', 'rect', 'path', 'text', 'line', 'g', 'title']);

function make(parent, name, attributes = {}, text) {
  const node = SVG.has(name) ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  parent.appendChild(node);
  return node;
}

// The colour of a palette for a share from 0 to 1.
function ramp(palette, share) {
  const at = Math.min(Math.max(share, 0), 1) * (palette.length - 1), i = Math.min(Math.floor(at), palette.length - 2);
  return 'rgb(' + palette[i].map((v, k) => Math.round(v + (palette[i + 1][k] - v) * (at - i))).join(',') + ')';
}
