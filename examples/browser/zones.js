// SPDX-License-Identifier: LGPL-2.1-or-later
// Lines and areas over the live picture: drawn, changed and saved. The page has the canvas, and hands in what the
// mouse, a finger or a key does while `isEditing`.
'use strict';

const NEAR = 12;  // pixels of the screen: within that a corner or an edge is meant
const LEAST = {line: 2, area: 3};  // corners
const HOW = 'Drag a corner to move it, an edge to put a corner there. Right click, or a long touch: remove a corner.';
const WHILE_DRAWING = 'Click each corner. Enter, or a double click: that was the last one. Escape: leave it.';

class ZoneEditor {
  isEditing = false;
  zones = [];  // as the file has them
  version = '';
  chosen = null;   // a zone
  drawing = null;  // a zone that has not all of its corners
  grabbed = null;  // a corner: {zone, number}
  pointer = null;  // where it is, in parts of the picture
  saved = '';      // as JSON

  // --- zones as the file has them

  kind(zone) { return zone.line ? 'line' : 'area'; }
  corners(zone) { return zone[this.kind(zone)]; }

  // In parts of the picture, and back.
  place(zone, [x, y]) { return zone.units === 'pixels' ? [x / list.width, y / list.height] : [x, y]; }
  corner(zone, [x, y]) {
    const round = (value, digits) => Math.round(value * digits) / digits;
    if (zone.units === 'pixels') return [round(x * list.width, 10), round(y * list.height, 10)];
    return [round(x, 1e4), round(y, 1e4)];
  }

  isChanged() { return JSON.stringify(this.zones) !== this.saved; }

  async load() {
    const answer = await fetch('zones').catch(() => null);
    const result = answer && await answer.json();
    element('zones').hidden = !answer || (!answer.ok && result.refused.startsWith('nothing is counted'));
    if (!answer) return;
    if (!answer.ok) return this.say(result.refused, true);
    if (this.isEditing && this.isChanged()) return;  // they are lost only if one discards them
    this.take(result);
  }

  take({zones, version}) {
    this.zones = zones;
    this.version = version;
    this.saved = JSON.stringify(zones);
    this.chosen = this.drawing = this.grabbed = null;
    this.show();
  }

  async save() {
    if (this.drawing) this.finish();
    this.say('Saving.');
    const answer = await fetch('zones', {
      method: 'POST', headers: {'Content-Type': 'application/json'},
      body: JSON.stringify({zones: this.zones, version: this.version})}).catch(() => null);
    if (!answer) return this.say('This could not be sent: there is no connection.', true);
    const result = await answer.json();
    if (!answer.ok) return this.say(`Not saved: ${result.refused}`, true);
    this.take({zones: this.zones, version: result.version});
    this.say('Saved.');
  }

  // By this page or another one.
  seeSaved(version) {
    if (version === this.version) return;
    if (this.isEditing && this.isChanged()) this.say('Somebody else has saved other zones meanwhile.', true);
    else this.load();
  }

  edit(isEditing) {
    this.isEditing = isEditing;
    this.chosen = this.drawing = this.grabbed = null;
    this.say(isEditing ? HOW : this.isChanged() ? 'These are not saved.' : '');
    hint(isEditing ? '' : HINT);
    this.show();
  }

  add(kind) {
    const names = new Set(this.zones.map((zone) => zone.name));
    let number = 1;
    while (names.has(`${kind}-${number}`)) ++number;
    this.drawing = {name: `${kind}-${number}`, [kind]: []};
    this.chosen = null;
    this.say(WHILE_DRAWING);
    this.show();
  }

  // Enough corners: the zone is there. Too few: it is not.
  finish() {
    const zone = this.drawing;
    if (!zone) return;
    const least = LEAST[this.kind(zone)];
    if (this.corners(zone).length < least) return this.say(`${WHILE_DRAWING} It needs ${least} at least.`, true);
    this.zones.push(zone);
    this.drawing = null;
    this.chosen = zone;
    this.say(HOW);
    this.show();
  }

  // A line has no stays and no crowds.
  setKind(zone, kind) {
    const corners = this.corners(zone);
    if (corners.length < LEAST[kind]) return this.say(`An area has ${LEAST.area} corners at least.`, true);
    delete zone[this.kind(zone)];
    zone[kind] = corners;
    if (kind === 'line') for (const field of ['dwell', 'crowd']) delete zone[field];
  }

  // --- the mouse, or a finger

  distance([ax, ay], [bx, by]) {
    return Math.hypot((ax - bx) * band.clientWidth, (ay - by) * band.clientHeight);
  }

  cornerAt(at) {
    let best = null, nearest = NEAR;
    for (const zone of this.zones) {
      this.corners(zone).forEach((corner, number) => {
        const distance = this.distance(this.place(zone, corner), at);
        if (distance > nearest) return;
        nearest = distance;
        best = {zone, number};
      });
    }
    return best;
  }

  // The number is that of the corner after which a new one would be.
  edgeAt(at) {
    for (const zone of this.zones) {
      const places = this.corners(zone).map((corner) => this.place(zone, corner));
      if (this.kind(zone) === 'area') places.push(places[0]);
      for (let i = 0; i + 1 < places.length; ++i) {
        const [a, b] = [places[i], places[i + 1]];
        const [dx, dy] = [(b[0] - a[0]) * band.clientWidth, (b[1] - a[1]) * band.clientHeight];
        const [px, py] = [(at[0] - a[0]) * band.clientWidth, (at[1] - a[1]) * band.clientHeight];
        const part = Math.min(Math.max((px * dx + py * dy) / (dx * dx + dy * dy || 1), 0), 1);
        if (Math.hypot(px - part * dx, py - part * dy) <= NEAR) return {zone, number: i};
      }
    }
    return null;
  }

  press(event) {
    if (event.button !== 0) return;
    const at = point(event);
    this.pointer = at;
    if (this.drawing) {
      const corners = this.corners(this.drawing);
      const isNear = (number) => corners.length && this.distance(this.place(this.drawing, corners.at(number)), at) <= NEAR;
      if (this.drawing.area && corners.length >= LEAST.area && isNear(0)) return this.finish();
      if (!isNear(-1)) corners.push(this.corner(this.drawing, at));  // the second click of two is none
      return drawBand();
    }
    this.grabbed = this.cornerAt(at);
    const edge = this.grabbed ? null : this.edgeAt(at);
    if (edge) {
      this.corners(edge.zone).splice(edge.number + 1, 0, this.corner(edge.zone, at));
      this.grabbed = {zone: edge.zone, number: edge.number + 1};
    }
    this.chosen = this.grabbed?.zone ?? null;
    band.setPointerCapture(event.pointerId);
    this.show();
  }

  move(event) {
    this.pointer = point(event);
    if (this.grabbed) {
      const {zone, number} = this.grabbed;
      this.corners(zone)[number] = this.corner(zone, this.pointer);
    }
    if (this.grabbed || this.drawing) drawBand();
  }

  release() {
    this.grabbed = null;
    this.show();
  }

  removeCorner(event) {
    if (this.drawing) return this.corners(this.drawing).pop() && drawBand();
    const found = this.cornerAt(point(event));
    if (!found) return;
    const {zone, number} = found;
    this.grabbed = null;
    if (this.corners(zone).length <= LEAST[this.kind(zone)]) {
      return this.say(`${zone.name} has no more corners than it needs; Delete removes all of it.`, true);
    }
    this.corners(zone).splice(number, 1);
    this.show();
  }

  key(event) {
    if (event.key === 'Enter' && this.drawing) {
      event.preventDefault();  // a button that has the focus is not meant
      this.finish();
    }
    if (event.key !== 'Escape') return;
    this.drawing = this.grabbed = null;
    this.say(HOW);
    this.show();
  }

  // --- what is shown

  say(text, isBad) {
    element('zones-message').textContent = text;
    element('zones-message').style.color = isBad ? 'var(--bad)' : '';
  }

  color(number) { return `hsl(${(number * 0.61803398874989485 + 0.55) % 1 * 360} 90% 60%)`; }

  // All but the list, which may be in use.
  refresh() {
    element('edit').hidden = !this.isEditing;
    element('edit-zones').textContent = this.isEditing ? 'Done' : 'Edit';
    element('edit-zones').classList.toggle('on', this.isEditing);
    element('save-zones').disabled = element('discard-zones').disabled = !this.isChanged() && !this.drawing;
    drawBand();
  }

  show() {
    this.refresh();
    element('zone-list').replaceChildren(...(this.isEditing ? this.zones.map((zone, i) => this.row(zone, i)) : []));
  }

  row(zone, number) {
    const item = document.createElement('li');
    item.className = `zone${zone === this.chosen ? ' chosen' : ''}`;
    item.style.borderLeftColor = this.color(number);
    const change = (action) => () => { action(); this.show(); };
    const name = make(item, 'input', 'zone-name');
    name.value = zone.name;
    name.setAttribute('aria-label', 'Name');
    name.addEventListener('change', () => {
      zone.name = name.value.trim();
      this.refresh();
    });
    const kind = make(item, 'select', 'kind');
    for (const each of ['line', 'area']) make(kind, 'option', '', each);
    kind.value = this.kind(zone);
    kind.setAttribute('aria-label', 'Kind');
    kind.addEventListener('change', change(() => this.setKind(zone, kind.value)));
    const turn = make(item, 'button', 'turn', 'Turn');
    turn.title = 'The arrow points to the other side';
    turn.disabled = !zone.line;
    turn.addEventListener('click', change(() => zone.line.reverse()));
    const remove = make(item, 'button', 'delete', 'Delete');
    remove.addEventListener('click', change(() => {
      this.zones.splice(this.zones.indexOf(zone), 1);
      if (this.chosen === zone) this.chosen = null;
    }));
    const fields = {labels: ['Labels', (text) => text.split(',').map((label) => label.trim()).filter(Boolean)]};
    if (zone.area) {
      fields.dwell = ['Long stay, s', Number];
      fields.crowd = ['Crowd above', Number];
    }
    const further = make(item, 'div', 'further');
    for (const [field, [title, parse]] of Object.entries(fields)) {
      const label = make(further, 'label', '', title), input = make(label, 'input', field);
      input.value = zone[field] ?? '';
      if (field === 'labels') input.placeholder = 'all';
      input.addEventListener('change', () => {
        if (input.value.trim()) zone[field] = parse(input.value);
        else delete zone[field];
        this.refresh();
      });
    }
    return item;
  }

  draw(context, width, height) {
    if (!this.isEditing) return;
    this.zones.forEach((zone, number) => this.drawZone(context, width, height, zone, this.color(number)));
    if (!this.drawing) return;
    const unfinished = {...this.drawing};
    const kind = this.kind(unfinished);
    unfinished[kind] = [...unfinished[kind], ...(this.pointer ? [this.corner(unfinished, this.pointer)] : [])];
    this.drawZone(context, width, height, unfinished, '#fff');
  }

  drawZone(context, width, height, zone, color) {
    const places = this.corners(zone).map((corner) => this.place(zone, corner)).map(([x, y]) => [x * width, y * height]);
    if (!places.length) return;
    const trace = () => {
      context.beginPath();
      places.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
      if (zone.area) context.closePath();
    };
    context.setLineDash([]);
    if (zone.area) {
      context.globalAlpha = zone === this.chosen ? .3 : .15;
      context.fillStyle = color;
      trace();
      context.fill();
      context.globalAlpha = 1;
    }
    for (const [style, line] of [['#000', zone === this.chosen ? 7 : 5], [color, zone === this.chosen ? 4 : 2]]) {
      context.strokeStyle = style;
      context.lineWidth = line;
      trace();
      context.stroke();
      if (zone.line && places.length > 1) this.drawArrow(context, places);
    }
    for (const [x, y] of places) {
      context.beginPath();
      context.arc(x, y, NEAR / 2, 0, 2 * Math.PI);
      context.fillStyle = color;
      context.fill();
      context.strokeStyle = '#000';
      context.lineWidth = 1.5;
      context.stroke();
    }
    context.font = 'bold 14px system-ui, sans-serif';
    context.lineWidth = 4;
    const left = Math.min(places[0][0] + NEAR, width - context.measureText(zone.name).width - 4);
    const bottom = Math.max(places[0][1] - NEAR, 16);
    context.strokeText(zone.name, left, bottom);
    context.fillStyle = color;
    context.fillText(zone.name, left, bottom);
  }

  // To where forward is: from the left of the line to its right, as one walks from its first corner on.
  drawArrow(context, places) {
    const i = Math.floor((places.length - 2) / 2), [a, b] = [places[i], places[i + 1]];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const along = [(b[0] - a[0]) / length, (b[1] - a[1]) / length], over = [-along[1], along[0]];
    const from = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const at = (far, aside) => [from[0] + far * over[0] + aside * along[0], from[1] + far * over[1] + aside * along[1]];
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...at(36, 0));
    context.moveTo(...at(26, -8));
    context.lineTo(...at(36, 0));
    context.lineTo(...at(26, 8));
    context.stroke();
  }
}

addEventListener('DOMContentLoaded', () => {
  const on = (id, action) => document.getElementById(id).addEventListener('click', action);
  on('edit-zones', () => zones.edit(!zones.isEditing));
  on('add-line', () => zones.add('line'));
  on('add-area', () => zones.add('area'));
  on('save-zones', () => zones.save());
  on('discard-zones', () => { zones.saved = JSON.stringify(zones.zones); zones.load(); zones.say(HOW); });
});
