"use strict";
// The page of `sparpack inspect --format html`. Both panes hold only the rows that are on the screen.
(() => {
  const element = (id) => document.getElementById(id);
  const data = JSON.parse(element("data").textContent);
  const { rows, first, summary } = data;
  const bytes = Uint8Array.from(atob(data.bytes), (letter) => letter.charCodeAt(0));
  const HEIGHT = 20;
  const tree = element("tree"), dump = element("dump");
  const fault = summary.fault;

  // --- the rows: what each holds, and where it ends --------------------------------------------------------------------

  const link = () => {
    rows.forEach((row, index) => { row.index = index; row.last = index; row.folded = false; });
    const open = [];
    rows.forEach((row, index) => {
      while (open.length && open[open.length - 1].depth >= row.depth) {
        const holder = open.pop();
        const closes = row.kind === "close" && holder.depth === row.depth;
        holder.last = closes ? index : index - 1;
        if (closes) break;
      }
      if (row.kind === "open") open.push(row);
    });
    open.forEach((row) => { row.last = rows.length - 1; });
    const holders = [];
    rows.forEach((row) => {
      while (holders.length && holders[holders.length - 1].last < row.index) holders.pop();
      row.holder = holders[holders.length - 1] || null;
      if (row.kind === "open") holders.push(row);
    });
  };
  link();

  // Finds the row of the fault: the value that is wrong, or else a new row where something else should have come. The path of
  // an error begins with the class.
  const rowOfFault = () => {
    const { offset } = fault, { class: name } = summary;
    const path = name && (fault.path === name || fault.path.startsWith(`${name}.`)) ? fault.path.slice(name.length + 1) : fault.path;
    const value = path && rows.find((row) => row.kind === "value" && row.path === path);
    if (value) return value;
    const holds = (row) => row.kind === "open" && path.startsWith(row.path) && /^$|^[.[]/.test(row.path ? path.slice(row.path.length) : "");
    const holder = path ? rows.reduce((found, row) => (holds(row) ? row : found), null) : null;
    const made = { kind: "fault", depth: 0, offset, size: 0 };
    let place = rows.length;
    if (holder) {
      const last = rows[holder.last], closed = last.kind === "close" && last.depth === holder.depth;
      const end = closed ? holder.last : holder.last + 1;
      for (place = holder.index + 1; place < end && (rows[place].depth > holder.depth + 1 || rows[place].offset < offset); place++);
      made.depth = holder.depth + 1;
      if (closed) made.offset = Math.min(offset, last.offset); // what is missing is missing at the end of its struct
    }
    rows.splice(place, 0, made);
    link();
    return made;
  };
  const wrong = fault ? rowOfFault() : null;

  // The innermost row of each byte, and which of two shades the byte has: another one than the bytes of the next row.
  const owner = new Int32Array(bytes.length).fill(-1), shade = new Uint8Array(bytes.length);
  rows.forEach((row) => {
    for (let i = row.offset - first; i < row.offset - first + row.size && i < bytes.length; i++) if (i >= 0) owner[i] = row.index;
  });
  for (let i = 1; i < bytes.length; i++) shade[i] = owner[i] === owner[i - 1] ? shade[i - 1] : 1 - shade[i - 1];

  // The byte that is wrong. An error about text that is not UTF-8 names the place of its length, so the byte is looked for. If
  // bytes are missing, it is the one behind the last.
  const isText = (from, to) => {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(from, to), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  const wrongByte = () => {
    if (fault.found === "the end of the input") return summary.bytes - first;
    if (wrong.kind === "fault") return wrong.offset - first;
    const at = fault.offset - first;
    if (fault.expected !== "UTF-8") return at;
    const to = Math.min(wrong.offset + wrong.size - first, bytes.length);
    const size = wrong.length !== undefined ? wrong.length : wrong.value && wrong.value.hex ? wrong.value.hex.length / 2 : 0;
    const start = Math.max(to - size - (/json/.test(summary.wire) ? 1 : 0), at);
    for (let i = start; i < to; i++) if (!isText(start, i + 1)) return i;
    return at;
  };

  let shown = [];
  const arrange = () => {
    shown = [];
    for (let i = 0; i < rows.length; i++) {
      shown.push(rows[i]);
      if (rows[i].folded) i = rows[i].last;
    }
    shown.forEach((row, place) => { row.place = place; });
    tree.firstElementChild.style.height = `${(shown.length + 1) * HEIGHT}px`;
    draw();
  };

  const folds = (row) => row.kind === "open" && row.last > row.index;

  // What a folded or unfolded row covers.
  const extent = (row) => {
    if (!row || row.kind === "fault") return row && [faultAt + first, faultAt + first + 1];
    if (row.kind !== "open") return [row.offset, row.offset + row.size];
    const last = rows[row.last];
    return [row.offset, Math.max(row.offset + row.size, last.offset + last.size)];
  };

  // --- drawing ---------------------------------------------------------------------------------------------------------

  let on = null, picked = null, found = new Set(), hits = [], hit = -1;

  const part = (tag, kind, text) => {
    const made = document.createElement(tag);
    if (kind) made.className = kind;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const nameOf = (row) => {
    if (row.kind === "close") return "end";
    if (!row.path) return row.depth ? "" : "payload";
    const step = row.path.match(/(?:\[(?:"(?:[^"\\]|\\.)*"|[^\]]*)\]|[^.[\]]+)$/);
    const name = step ? step[0] : row.path;
    return row.id !== undefined && String(row.id) !== name ? `${name} (${row.id})` : name;
  };

  const textOf = (row) => {
    const value = row.value;
    if (row.text !== undefined) return row.text;
    if (row.kind === "open" && row.count !== undefined) {
      const noun = row.type.startsWith("map") ? "pair" : "element";
      return `${row.count} ${noun}${row.count === 1 ? "" : "s"}`;
    }
    if (value === undefined) return "";
    if (value === null) return "nil";
    const more = row.length === undefined ? "" : ` … (${row.length} bytes)`;
    if (typeof value === "object") return `${value.ext === undefined ? "" : `${value.ext} `}x"${value.hex}"${more}`;
    if (typeof value === "string" && !/^(?:i\d+|int|number|double|float\d\d)$/.test(row.type)) return visible(value) + more;
    return String(value) + (row.label ? ` (${row.label})` : "");
  };

  // Escapes what nobody sees, such as characters that change the direction of text.
  const visible = (text) => JSON.stringify(text).replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu,
    (hidden) => `\\u{${hidden.codePointAt(0).toString(16)}}`);

  // Deep rows stay in view.
  const step = window.innerWidth < 600 ? 10 : 16;
  const indent = (row) => Math.min(row.depth, 30) * step;

  const treeRow = (row) => {
    const line = part("div", "row");
    line.style.top = `${row.place * HEIGHT}px`;
    line.dataset.index = row.index;
    line.id = `row${row.index}`;
    line.setAttribute("role", "treeitem");
    line.setAttribute("aria-level", row.depth + 1);
    line.setAttribute("aria-posinset", row.place + 1);
    line.setAttribute("aria-setsize", shown.length);
    line.setAttribute("aria-selected", row === picked);
    if (row === picked) line.classList.add("picked");
    if (row === wrong) line.classList.add("bad");
    if (on !== null && row.index === on) line.classList.add("on");
    if (found.has(row.index)) line.classList.add("found");
    line.append(part("span", "at", row.offset));
    if (row.kind === "fault") {
      const note = part("span", "value note", `✗ ${fault.message}`);
      note.style.paddingLeft = `${indent(row) + 16}px`;
      line.title = fault.message;
      line.append(note);
      return line;
    }
    const name = part("span", "name");
    name.style.paddingLeft = `${indent(row)}px`;
    const sign = part("span", "fold", folds(row) ? (row.folded ? "▸" : "▾") : " ");
    sign.setAttribute("aria-hidden", "true");
    if (folds(row)) line.setAttribute("aria-expanded", !row.folded);
    name.append(sign);
    name.append(part("span", row.kind === "close" ? "dim" : "", nameOf(row)));
    name.title = row.path || "payload";
    const type = part("span", "type", row.type || "");
    type.title = row.type || "";
    line.append(name, type);
    const value = part("span", "value", textOf(row));
    if (row.folded) value.append(part("span", "dim", `  … ${row.last - row.index} rows`));
    if (row === wrong) value.append(part("span", "note", `  ✗ expected ${fault.expected}, found ${fault.found}`));
    else if (row.expected) value.append(part("span", "note", `  ✗ expected ${row.expected}`));
    value.title = value.textContent;
    line.append(value);
    return line;
  };

  const digits = Math.max(4, String(first + bytes.length).length);

  // How many bytes a line of the dump has, so that the tree has room.
  let WIDTH = 16;
  const measure = () => {
    const width = window.innerWidth;
    WIDTH = width >= 1300 || (width >= 660 && width < 900) ? 16 : 8;
    dump.firstElementChild.style.width = `${digits + 3 + WIDTH * 4 + 5}ch`;
    dump.firstElementChild.style.height = `${(dumpRows() + 1) * HEIGHT}px`;
  };

  // The columns are as wide as what is in them, within bounds.
  const columns = () => {
    const letter = 7.8;
    let names = 8, types = 4;
    rows.forEach((row) => {
      if (row.kind === "fault") return;
      names = Math.max(names, nameOf(row).length + indent(row) / letter);
      types = Math.max(types, (row.type || "").length);
    });
    Object.entries({ digits, names, types }).forEach(([name, count]) => tree.style.setProperty(`--${name}`, Math.ceil(Math.min(count, 80))));
  };

  const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
  const faultAt = fault ? wrongByte() : -1;

  const byteClass = (i) => {
    const kinds = [];
    const index = owner[i];
    const [a, b] = on === null ? [0, 0] : extent(rows[on]), [c, d] = picked ? extent(picked) : [0, 0];
    const at = i + first;
    if (shade[i]) kinds.push("odd");
    if (at >= c && at < d) kinds.push("picked");
    if (at >= a && at < b) kinds.push("on");
    if (fault && index < 0 && at >= summary.read) kinds.push("bad");
    if (i === faultAt) kinds.push("bad", "wrong");
    return kinds.join(" ");
  };

  const dumpRow = (number) => {
    const line = part("div", "row");
    line.style.top = `${number * HEIGHT}px`;
    line.append(part("span", "at", String(first + number * WIDTH).padStart(digits)));
    const text = part("span", "text");
    for (let k = 0; k < WIDTH; k++) {
      const i = number * WIDTH + k, there = i < bytes.length;
      const gap = k === 7 && WIDTH > 8 ? "  " : " ";
      if (!there) {
        line.append(part("i", i === faultAt ? "bad wrong" : "", i === faultAt ? "✗✗" : "  "), gap);
        continue;
      }
      const kind = byteClass(i), byte = bytes[i];
      const cell = part("i", kind, hex[byte]), letter = part("i", kind, byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·");
      cell.dataset.at = letter.dataset.at = i;
      line.append(cell, gap);
      text.append(letter);
    }
    line.append(text);
    return line;
  };

  const fill = (pane, count, make) => {
    const from = Math.max(0, Math.floor(pane.scrollTop / HEIGHT) - 10);
    const to = Math.min(count, Math.ceil((pane.scrollTop + pane.clientHeight) / HEIGHT) + 10);
    const lines = [];
    for (let i = from; i < to; i++) lines.push(make(i));
    pane.firstElementChild.replaceChildren(...lines);
  };
  const dumpRows = () => Math.max(1, Math.ceil((bytes.length + (faultAt === bytes.length ? 1 : 0)) / WIDTH));
  const drawTree = () => fill(tree, shown.length, (i) => treeRow(shown[i]));
  const drawDump = () => fill(dump, dumpRows(), dumpRow);
  // All of what does not fit into the columns: of the row under the pointer, or else of the one that was picked.
  const detail = element("detail");
  const drawDetail = () => {
    const row = on === null ? picked : rows[on];
    const about = row && row.kind === "fault" ? [part("span", "value", `✗ ${fault.message}`)]
      : row ? [`${row.offset}  ${row.path || "(payload)"}  `, part("span", "type", row.type || "end"), "  ", part("span", "value", textOf(row))]
        : [part("span", "dim", "Point at a row or a byte, or walk through the tree with the arrow keys")];
    detail.replaceChildren(...about);
  };
  const draw = () => { drawTree(); drawDump(); drawDetail(); };

  // --- pointing --------------------------------------------------------------------------------------------------------

  const reveal = (pane, place) => {
    const top = place * HEIGHT;
    if (top < pane.scrollTop || top + HEIGHT > pane.scrollTop + pane.clientHeight) {
      pane.scrollTop = Math.max(0, top - pane.clientHeight / 2);
    }
  };
  const unfold = (row) => {
    let changed = false;
    for (let holder = row.holder; holder; holder = holder.holder) {
      changed = changed || holder.folded;
      holder.folded = false;
    }
    if (changed) arrange();
  };
  const fold = (row, folded) => {
    row.folded = folded;
    arrange();
  };
  const point = (index) => {
    if (index === on) return;
    on = index;
    draw();
  };
  const pick = (row) => {
    unfold(row);
    picked = row;
    tree.setAttribute("aria-activedescendant", `row${row.index}`);
    reveal(tree, row.place);
    reveal(dump, Math.floor((row === wrong ? faultAt : row.offset - first) / WIDTH));
    draw();
  };
  const rowAt = (event) => {
    const line = event.target.closest("#tree .row");
    return line ? rows[Number(line.dataset.index)] : null;
  };
  const ownerAt = (event) => {
    const cell = event.target.closest("i[data-at]");
    return cell && owner[Number(cell.dataset.at)] >= 0 ? rows[owner[Number(cell.dataset.at)]] : null;
  };
  tree.addEventListener("mouseover", (event) => { const row = rowAt(event); point(row ? row.index : null); });
  dump.addEventListener("mouseover", (event) => {
    let row = ownerAt(event);
    point(row ? row.index : null);
    for (; row && row.place === undefined; row = row.holder);
  });
  [tree, dump].forEach((pane) => pane.addEventListener("mouseleave", () => point(null)));
  tree.addEventListener("click", (event) => {
    const row = rowAt(event);
    if (!row) return;
    if (event.target.classList.contains("fold") && folds(row)) {
      fold(row, !row.folded);
    } else {
      pick(row);
    }
  });
  tree.addEventListener("dblclick", (event) => {
    const row = rowAt(event);
    if (row && folds(row)) fold(row, !row.folded);
  });
  // The keys of a tree in any desktop.
  const page = () => Math.max(1, Math.floor(tree.clientHeight / HEIGHT) - 1);
  const moves = {
    ArrowDown: (row) => shown[row.place + 1],
    ArrowUp: (row) => shown[row.place - 1],
    Home: () => shown[0],
    End: () => shown[shown.length - 1],
    PageDown: (row) => shown[Math.min(row.place + page(), shown.length - 1)],
    PageUp: (row) => shown[Math.max(row.place - page(), 0)],
    ArrowRight: (row) => (!folds(row) ? null : row.folded ? fold(row, false) : shown[row.place + 1]),
    ArrowLeft: (row) => (folds(row) && !row.folded ? fold(row, true) : row.holder),
    Enter: (row) => (folds(row) ? fold(row, !row.folded) : null),
    " ": (row) => (folds(row) ? fold(row, !row.folded) : null),
  };
  tree.addEventListener("keydown", (event) => {
    if (!moves[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const visible = picked && shown[picked.place] === picked;
    const next = visible ? moves[event.key](picked) : shown[0];
    if (next) { on = null; pick(next); }
  });
  dump.addEventListener("click", (event) => { const row = ownerAt(event); if (row) pick(row); });
  tree.addEventListener("scroll", drawTree);
  dump.addEventListener("scroll", drawDump);
  window.addEventListener("resize", () => { measure(); draw(); });

  // --- searching and folding -------------------------------------------------------------------------------------------

  const search = element("search"), count = element("count");
  const look = () => {
    const text = search.value.trim().toLowerCase();
    hits = text ? rows.filter((row) => `${row.offset} ${row.path || ""} ${row.type || ""} ${textOf(row)}`.toLowerCase().includes(text)) : [];
    found = new Set(hits.map((row) => row.index));
    hit = -1;
    if (hits.length) go(1);
    else { picked = null; count.textContent = text ? "nothing found" : ""; draw(); }
  };
  const go = (by) => {
    if (!hits.length) return;
    hit = (hit + by + hits.length) % hits.length;
    count.textContent = `${hit + 1} of ${hits.length}`;
    pick(hits[hit]);
  };
  search.addEventListener("input", look);
  search.addEventListener("keydown", (event) => { if (event.key === "Enter") go(event.shiftKey ? -1 : 1); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search) { event.preventDefault(); search.focus(); }
    if (event.key === "Escape") { search.value = ""; look(); search.blur(); }
  });
  element("fold").addEventListener("click", () => {
    rows.forEach((row) => { row.folded = folds(row) && row.depth > 0; });
    arrange();
  });
  element("unfold").addEventListener("click", () => { rows.forEach((row) => { row.folded = false; }); arrange(); });
  columns();
  measure();
  arrange();
  if (fault) { element("verdict").addEventListener("click", () => pick(wrong)); pick(wrong); }
  window.inspector = { rows, owner, point, pick, shown: () => shown.length, hits: () => hits.length };
  document.body.dataset.ready = String(rows.length);
})();
