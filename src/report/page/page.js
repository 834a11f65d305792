// SPDX-License-Identifier: MIT
// Steps through the operations of a run: marks the row and its line, and says what the variables hold by then.
"use strict";
document.querySelectorAll(".keys").forEach(keys => keys.hidden = false);
document.querySelectorAll(".bug").forEach(bug => {
  const rows = Array.from(bug.querySelectorAll("a.row")), watch = bug.querySelector(".watch");
  if (!rows.length) return;
  let now = -1;
  const clear = () => bug.querySelectorAll(".now").forEach(element => element.classList.remove("now"));
  const show = values => {
    watch.replaceChildren(...Array.from(values).flatMap(([name, value]) => {
      const bold = document.createElement("b");
      bold.textContent = value;
      return [document.createTextNode(name + " = "), bold];
    }));
    watch.hidden = values.size === 0;
  };
  // Only the pane with the sources moves, not the page.
  const scrollInPane = line => {
    const pane = line.closest(".source"), box = line.getBoundingClientRect(), frame = pane.getBoundingClientRect();
    const top = Math.max(frame.top, 0), bottom = Math.min(frame.bottom, innerHeight);
    if (box.top < top || box.bottom > bottom) pane.scrollTop += box.top - (top + bottom) / 2;
  };
  const select = index => {
    now = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows[now], line = row.hash && document.getElementById(row.hash.slice(1)), values = new Map();
    clear();
    row.classList.add("now");
    if (line) line.classList.add("now");
    rows.slice(0, now + 1).forEach(row => row.dataset.name && values.set(row.dataset.name, row.dataset.value));
    show(values);
    const pane = bug.querySelector(".source");
    if (pane.getBoundingClientRect().bottom > innerHeight) bug.querySelector(".run").scrollIntoView();
    row.scrollIntoView({block: "nearest"});
    if (line) scrollInPane(line);
    current = bug;
  };
  rows.forEach((row, index) => row.addEventListener("click", event => {
    event.preventDefault();
    select(index);
  }));
  bug.querySelectorAll(".diagram a").forEach(mark => mark.addEventListener("click", event => {
    event.preventDefault();
    select(rows.findIndex(row => "#" + row.id === mark.getAttribute("href")));
  }));
  bug.step = (key) => {
    const moves = {ArrowDown: now + 1, j: now + 1, ArrowUp: now - 1, k: now - 1, Home: 0, End: rows.length - 1};
    if (!(key in moves)) return false;
    select(moves[key]);
    return true;
  };
});
let current = document.querySelector(".bug");
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey || !current || !current.step) return;
  if (current.step(event.key)) event.preventDefault();
});
