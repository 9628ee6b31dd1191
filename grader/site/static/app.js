// What the pages do better with script: results as they come, drafts, findings, keys.
// Every page is whole without it.

const words = JSON.parse(document.body.dataset.words);
const fill = (text, given) => text.replace(/\{(\w+)\}/g, (all, name) => given[name] ?? all);
const find = (selector, inside = document) => inside.querySelector(selector);
const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

// Storage may be forbidden; then nothing is remembered and all else works.
const memory = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, value); } catch { /* full or forbidden */ } },
  drop(key) { try { localStorage.removeItem(key); } catch { /* forbidden */ } },
};

function localTimes(inside = document) {
  const written = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  for (const time of all("time[datetime]", inside)) time.textContent = written.format(new Date(time.dateTime));
}

// --- Results ---------------------------------------------------------------------------------

let stream = null;

function watch(holder) {
  stream?.close();
  stream = null;
  const outcome = find("[data-stream]", holder);
  if (!outcome) return;
  const status = find("[data-status]", outcome);
  let told = 0;
  let later = 0;
  const tell = () => {
    const rows = all("tr[data-state]", outcome);
    const done = rows.filter((row) => row.dataset.state !== "waiting");
    if (!done.length) return;
    const passed = done.filter((row) => row.dataset.state === "accepted").length;
    const failed = done.filter((row) => !["accepted", "skipped"].includes(row.dataset.state)).length;
    status.textContent = fill(outcome.dataset.judging, { done: done.length, total: rows.length, passed, failed });
    told = Date.now();
    later = 0;
  };
  const source = new EventSource(outcome.dataset.stream);
  stream = source;
  source.addEventListener("case", (event) => {
    const { number, html } = JSON.parse(event.data);
    putCase(outcome, number, html);
    // A screen reader is told once a second, not once a case.
    if (!later) later = setTimeout(tell, Math.max(0, 1000 - (Date.now() - told)));
  });
  source.addEventListener("done", async (event) => {
    source.close();
    clearTimeout(later);
    await showResult(holder, event.data);
  });
  source.addEventListener("open", () => status.classList.remove("lost"));
  source.addEventListener("error", () => {
    if (stream !== source) return;
    // The browser tries again by itself unless the answer was a refusal.
    const again = source.readyState === EventSource.CLOSED;
    lost(holder, again ? () => { if (stream === source) watch(holder); } : null);
  });
}

// The site is away for a moment: say so, and try again.
function lost(holder, again) {
  const status = find("[data-status]", holder);
  if (status) {
    status.textContent = words.lost;
    status.classList.add("lost");
  }
  if (again) setTimeout(again, 2000);
}

function putCase(outcome, number, html) {
  const made = document.createElement("template");
  made.innerHTML = html; // a row the server made and escaped
  const row = find("tr", made.content);
  const old = find(`tr[data-number="${number}"]`, outcome);
  if (!row || !old) return;
  row.classList.add("new");
  old.replaceWith(row);
  const square = all(".strip > li", outcome)[number - 1]?.firstElementChild;
  if (!square) return;
  square.className = row.dataset.family;
  find("use", square).setAttribute("href", find("use", row).getAttribute("href"));
  find(".vh", square).textContent = row.dataset.label;
}

async function showResult(holder, address) {
  let answer;
  try {
    answer = await fetch(address, { headers: { accept: "text/html" } });
  } catch {
    lost(holder, () => showResult(holder, address));
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = answer.ok && find("[data-result]", page);
  if (!fresh) {
    location.assign(address);
    return;
  }
  const before = find("[data-outcome]", holder)?.dataset.stream;
  holder.replaceChildren(...fresh.childNodes);
  localTimes(holder);
  if (holder.classList.contains("whole")) document.title = page.title;
  else if (!find("[data-stream]", holder)) await renewAside();
  if (find("[data-stream]", holder)?.dataset.stream === before && before) setTimeout(() => watch(holder), 500);
  else watch(holder);
}

// Beside the editor an attempt is listed, and the editorial opens, once there is a result.
async function renewAside() {
  const parts = [".pane > .tabs", "#statement > .line", "#attempts", "#hints"];
  try {
    const answer = await fetch(location.pathname);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of answer.ok ? parts : []) {
      const fresh = find(part, page);
      if (fresh) find(part)?.replaceWith(fresh);
    }
    localTimes(find("#attempts"));
  } catch { /* the page shows it when it is opened again */ }
}

// --- The answer: editor, draft, findings, sending ------------------------------------------------

function answering(form) {
  const area = find("[data-code]", form);
  const slug = area.dataset.slug;
  const base = `/problems/${encodeURIComponent(slug)}`;
  const key = `draft:${slug}`;
  const saved = find("[data-saved]");
  const findings = find("[data-findings]");
  const holder = find("[data-result]");
  const nobody = form.hasAttribute("data-nobody"); // what they write stays in this browser
  let editor = null;
  let saving = 0;
  let checking = 0;
  let checked = "";

  const body = (source) => new URLSearchParams({ source });
  const set = (source) => {
    if (editor) editor.set(source);
    else area.value = source;
    changed();
  };

  async function save() {
    if (nobody) return;
    const source = area.value;
    saved.textContent = words.saving;
    try {
      const answer = await fetch(`${base}/draft`, { method: "POST", body: body(source) });
      if (!answer.ok) throw new Error(String(answer.status));
      if (memory.get(key) === source) memory.drop(key);
      saved.textContent = `${words.saved} ${new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}`;
    } catch {
      saved.textContent = words.unsaved;
    }
  }

  async function check() {
    if (nobody) return;
    const source = area.value;
    let found;
    try {
      const answer = await fetch(`${base}/check`, { method: "POST", body: body(source) });
      if (!answer.ok) return;
      found = await answer.json();
    } catch {
      return;
    }
    if (area.value !== source) return;
    checked = source;
    editor?.underline(found);
    const first = found[0];
    findings.classList.toggle("found", Boolean(first));
    findings.classList.toggle("clean", !first);
    findings.textContent = first
      ? `${fill(words.place, first)}: ${first.message}${found.length > 1 ? ` (+${found.length - 1})` : ""}`
      : words.clean;
    findings.title = findings.textContent;
  }

  function changed() {
    memory.set(key, area.value);
    clearTimeout(saving);
    clearTimeout(checking);
    saving = setTimeout(save, 2000);
    checking = setTimeout(check, 600);
  }

  // What this browser has and the server did not get, unless older code was asked for.
  const kept = memory.get(key);
  if (kept !== null && kept !== area.value && !new URLSearchParams(location.search).has("from")) {
    area.value = kept;
    saved.textContent = words.restored;
    saving = setTimeout(save, 2000);
  }

  area.addEventListener("input", changed);
  addEventListener("pagehide", () => {
    if (memory.get(key) !== null && !nobody) navigator.sendBeacon(`${base}/draft`, body(area.value));
  });

  async function send(button) {
    clearTimeout(saving);
    // A button without an address of its own would name the page.
    const address = button.hasAttribute("formaction") ? button.formAction : form.action;
    const given = new URLSearchParams(new FormData(form, button));
    saved.textContent = words.sending;
    form.setAttribute("aria-busy", "true");
    for (const each of all("button", form)) each.disabled = true;
    try {
      const answer = await fetch(address, { method: "POST", body: given });
      if (answer.status === 401) {
        memory.set(key, area.value);
        location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
        return;
      }
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = find("[data-result] > [data-outcome]", page);
      for (const note of all(".note[role=alert]", form)) note.remove();
      const complaint = find("[data-answer] > .note[role=alert]", page);
      if (complaint) {
        find(".acts", form).before(complaint);
        saved.textContent = "";
        return;
      }
      if (!answer.ok || !fresh) throw new Error(String(answer.status));
      memory.drop(key);
      saved.textContent = words.saved;
      holder.replaceChildren(fresh);
      holder.scrollTop = 0;
      localTimes(holder);
      watch(holder);
      if (matchMedia("(max-width: 60rem)").matches) holder.scrollIntoView();
    } catch {
      memory.set(key, area.value);
      saved.textContent = words.failed;
    } finally {
      form.removeAttribute("aria-busy");
      for (const each of all("button", form)) each.disabled = false;
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!form.hasAttribute("aria-busy")) send(event.submitter ?? find("[data-submit]", form));
  });
  const press = (selector) => () => { find(selector, form)?.click(); return true; };
  const submit = press("[data-submit]");
  const run = press("[data-run]");
  form.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || !(event.ctrlKey || event.metaKey)) return;
    if (event.key === "Enter") { event.preventDefault(); submit(); }
    if (event.key === "'") { event.preventDefault(); run(); }
  });

  const reset = find("[data-reset]");
  reset?.addEventListener("submit", (event) => {
    event.preventDefault();
    if (confirm(reset.dataset.sure)) set(find("[data-starter]", form).value);
  });

  import(area.dataset.code).then(({ upgrade }) => {
    editor = upgrade(area, { submit, run });
    if (checked) check();
  }).catch(() => { /* the plain field stays */ });
  check();
  return { focus: () => (editor ?? area).focus() };
}

// --- Panes ------------------------------------------------------------------------------------

function splitting(grip) {
  const work = find("[data-work]");
  const put = (share) => {
    const held = Math.min(70, Math.max(25, Math.round(share)));
    work.style.setProperty("--split", held);
    grip.setAttribute("aria-valuenow", held);
    memory.set("split", held);
  };
  const kept = Number(memory.get("split"));
  if (kept) put(kept);
  grip.addEventListener("pointerdown", (event) => {
    grip.setPointerCapture(event.pointerId);
    const move = (at) => put(((at.clientX - work.getBoundingClientRect().left) / work.clientWidth) * 100);
    grip.addEventListener("pointermove", move);
    grip.addEventListener("lostpointercapture", () => grip.removeEventListener("pointermove", move), { once: true });
  });
  grip.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
    if (!step) return;
    event.preventDefault();
    put(Number(grip.getAttribute("aria-valuenow")) + step);
  });
}

// --- Keys --------------------------------------------------------------------------------------

function shortcuts(answer) {
  const dialog = find("#keys");
  const single = find("#single-keys");
  single.checked = memory.get("single-keys") !== "off";
  single.addEventListener("change", () => memory.set("single-keys", single.checked ? "on" : "off"));
  for (const button of all("[data-keys]")) button.addEventListener("click", () => dialog.showModal());

  const step = (selector, by) => {
    const places = all(selector);
    if (!places.length) return;
    const at = places.findIndex((place) => place === document.activeElement || place.contains(document.activeElement));
    const next = places[at < 0 ? (by > 0 ? 0 : places.length - 1) : (at + by + places.length) % places.length];
    if (next.matches("details")) next.open = true;
    const target = next.matches("details") ? find(".in", next) : next;
    target.focus();
    target.scrollIntoView({ block: "nearest" });
  };
  const acts = {
    "/": () => { const field = find("#q"); if (field) field.focus(); else location.assign("/#q"); },
    "?": () => dialog.showModal(),
    j: () => step("[data-list] tbody tr a:first-of-type", 1),
    k: () => step("[data-list] tbody tr a:first-of-type", -1),
    n: () => step("[data-failing]", 1),
    p: () => step("[data-failing]", -1),
  };
  const parts = { 1: () => find("#statement")?.focus(), 2: () => answer?.focus(), 3: () => find("#result")?.focus() };
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || dialog.open) return;
    if (event.altKey && !event.ctrlKey && !event.metaKey && /^Digit[123]$/.test(event.code)) {
      if (find("#statement") || find("#result")) { event.preventDefault(); parts[event.code.at(-1)](); }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !single.checked) return;
    const inside = event.composedPath()[0];
    if (inside.closest?.("input, textarea, select, [contenteditable='true']")) return;
    const act = acts[event.key];
    if (act) { event.preventDefault(); act(); }
  });
}

// --- Start -------------------------------------------------------------------------------------

localTimes();
// In which zone days begin and assignments are due; asked for by the next page.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone) document.cookie = `zone=${encodeURIComponent(zone)}; path=/; max-age=31536000; samesite=lax`;
const filters = find("[data-filters]");
filters?.addEventListener("change", (event) => { if (event.target.type !== "search") filters.requestSubmit(); });
if (location.hash === "#q") find("#q")?.focus();
for (const menu of all("details.menu")) {
  addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { menu.open = false; find("summary", menu).focus(); }
  });
}
const result = find("[data-result]");
if (result) watch(result);
const form = find("[data-answer]");
const answer = form ? answering(form) : null;
const grip = find("[data-grip]");
if (grip) splitting(grip);
shortcuts(answer);
// A square or a link to a case opens what is behind it, here as without script.
addEventListener("hashchange", () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const behind = target?.closest("details");
  if (behind) behind.open = true;
});
