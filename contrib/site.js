// SPDX-License-Identifier: MIT
// Search: pages that have every word, or a word that begins with it; those with it in their title first.
"use strict";
const field = document.querySelector("nav input"), found = document.querySelector("nav .found");
field.hidden = false;
field.addEventListener("input", () => {
  const wanted = field.value.toLowerCase().split(/\s+/).filter(word => word.length > 1);
  const has = (text, word) => (" " + text).includes(" " + word);
  const hits = !wanted.length ? [] : documents.filter(page => wanted.every(word => has(page.words, word)));
  const rank = page => wanted.some(word => page.title.toLowerCase().includes(word)) ? 0 : 1;
  hits.sort((a, b) => rank(a) - rank(b));
  found.replaceChildren(...hits.slice(0, 12).map(page => {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = document.body.dataset.up + "/" + page.page;
    link.textContent = page.title;
    item.append(link);
    return item;
  }));
});
