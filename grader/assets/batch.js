// The page reads without this: it filters, and opens what a link points to in older browsers.
"use strict";
(() => {
  const form = document.getElementById("filter");
  const text = document.getElementById("text");
  const verdict = document.getElementById("verdict");
  const count = document.getElementById("count");
  const low = (element) => element.textContent.toLowerCase();
  const subs = [...document.querySelectorAll(".sub")].map((element) => ({
    element, verdict: element.dataset.v, said: null,
  }));
  const byId = new Map(subs.map((sub) => {
    const named = sub.element.id ? sub.element : sub.element.querySelector("[id]");
    return [named.id, sub];
  }));
  const heads = [...document.querySelectorAll(".grid thead th")].map(low);
  const rows = [...document.querySelectorAll(".grid tbody tr")].map((element) => ({
    element, who: low(element.cells[0]), cells: [...element.querySelectorAll(".cell")],
  }));

  const wanted = (is) => {
    const v = verdict.value;
    return v === "" || (v === "!accepted" ? is !== "accepted" : is === v);
  };
  const says = (sub, word) => (sub.said ??= low(sub.element)).includes(word);

  function apply() {
    const word = text.value.trim().toLowerCase();
    const all = word === "" && verdict.value === "";
    let shown = 0;
    for (const sub of subs) {
      sub.shown = wanted(sub.verdict) && (word === "" || says(sub, word));
      sub.element.classList.toggle("gone", !sub.shown);
      shown += sub.shown;
    }
    for (const row of rows) {
      let some = false;
      for (const cell of row.cells) {
        const sub = byId.get((cell.getAttribute("href") || "").slice(1));
        const named = row.who.includes(word) || heads[cell.parentElement.cellIndex].includes(word);
        const fits = wanted(cell.dataset.v) && (named || (sub !== undefined && sub.shown));
        cell.classList.toggle("out", !fits);
        some ||= fits;
      }
      row.element.classList.toggle("gone", !some && !all);
    }
    for (const part of document.querySelectorAll(".part")) {
      part.classList.toggle("gone", !part.nextElementSibling.querySelector(".sub:not(.gone)"));
    }
    const number = (n) => n.toLocaleString("en");
    count.textContent = all ? "" : `${number(shown)} of ${number(subs.length)} listed`;
  }

  function open() {
    const sub = byId.get(location.hash.slice(1));
    if (sub === undefined) return;
    sub.element.classList.remove("gone");
    if (sub.element.tagName === "DETAILS") sub.element.open = true;
    sub.element.scrollIntoView({ block: "start" });
  }

  let later = 0;
  text.addEventListener("input", () => {
    clearTimeout(later);
    later = setTimeout(apply, 120);
  });
  verdict.addEventListener("change", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", open);
  form.hidden = false;
  apply(); // a browser may have kept what was typed before a reload
  open();
})();
