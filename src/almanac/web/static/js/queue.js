/* A queue of things to decide beside the one that is looked at: keys walk it, and each decision goes on to the next.
   The list carries data-queue-rows, its rows data-draft; the part beside it is #preview. keys.js presses what carries
   a key as data-key, so that everything here can be done by hand too. */
const WIDE = window.matchMedia("(min-width: 1001px)");
const MOST_TOASTS = 3;

const openQueue = () => document.querySelector("[data-queue]");
const queueRows = () => [...document.querySelectorAll("[data-queue-rows] [data-draft]")];
const currentRow = () => document.querySelector("[data-queue-rows] [aria-current]");
const isUnsaved = () => document.querySelector("form[data-unsaved][data-changed]");
const shownDraft = () => document.querySelector("#preview [data-preview]")?.dataset.preview || "";
const addressedDraft = () => new URL(location.href).searchParams.get("draft") || "";

/* The draft that is shown is in the address; walking replaces the address, choosing by hand adds a step to go back. */
function writeAddress(draft, isStep = false) {
  const url = new URL(location.href);
  url.searchParams.delete("edit");
  if (draft) url.searchParams.set("draft", draft);
  else url.searchParams.delete("draft");
  if (url.href !== location.href) history[isStep ? "pushState" : "replaceState"]({ draft }, "", url);
}

function markRow(row) {
  currentRow()?.removeAttribute("aria-current");
  row?.setAttribute("aria-current", "true");
  row?.scrollIntoView({ block: "nearest" });
}

function focusShown() {
  (document.querySelector("#preview h2[tabindex]") || document.getElementById("preview"))?.focus({ preventScroll: true });
}

async function showDraft(draft) {
  const preview = document.getElementById("preview");
  preview.setAttribute("aria-busy", "true");
  const listed = encodeURIComponent(openQueue().dataset.queue);
  const address = `/reminders/drafts/${encodeURIComponent(draft)}?listed=${listed}`;
  await htmx.ajax("GET", address, { target: preview, swap: "innerHTML settle:0ms" });
  preview.removeAttribute("aria-busy");
  preview.scrollTop = 0;
}

function openRow(row, isStep = false) {
  if (isUnsaved()) {
    say(texts().editOpen, "plain");
    return;
  }
  markRow(row);
  writeAddress(row.dataset.draft, isStep);
  showDraft(row.dataset.draft);
}

/* Going back and forward shows the draft of the address; an edit that was not saved keeps its own. */
window.addEventListener("popstate", () => {
  if (!openQueue()) return;
  const draft = addressedDraft() || queueRows()[0]?.dataset.draft;
  if (!draft || draft === shownDraft()) return;
  if (isUnsaved()) {
    writeAddress(shownDraft(), true);
    say(texts().editOpen, "plain");
    return;
  }
  markRow(document.getElementById(`row-${draft}`));
  showDraft(draft);
});

/* The rows of the next page come to the end of this one; the link to more of them stays where it is. */
async function loadMore() {
  const link = document.querySelector("[data-queue-more]");
  if (!link || link.dataset.asked) return;
  link.dataset.asked = "yes";
  try {
    const answer = await fetch(link.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(answer.statusText);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const list = document.querySelector("[data-queue-rows]");
    for (const row of page.querySelectorAll("[data-queue-rows] > [data-draft]")) {
      if (document.getElementById(row.id)) continue;
      row.removeAttribute("aria-current");
      list.append(document.adoptNode(row));
    }
    const next = page.querySelector("[data-queue-more]");
    if (next) link.href = next.getAttribute("href");
    else link.closest(".queue-more").remove();
    addUpChosen();
  } catch {
    say(texts().unreachable, "failed");
  } finally {
    delete link.dataset.asked;
  }
}

async function step(by) {
  const rows = queueRows();
  const at = rows.indexOf(currentRow());
  if (at + by >= rows.length) await loadMore();
  const target = queueRows()[at < 0 ? 0 : at + by];
  if (!target) return;
  openRow(target);
  target.focus({ preventScroll: true });
}

/* The row to go on to when this one is decided. */
function rowAfter(row) {
  const rows = queueRows();
  const at = rows.indexOf(row);
  return rows[at + 1] || rows[at - 1] || null;
}

/* Where the person was when a decision left: what they used is replaced by the answer. */
let wasInPreview = false;

document.addEventListener("htmx:configRequest", (event) => {
  const form = event.detail.elt.closest?.("#preview form");
  const row = currentRow();
  wasInPreview = Boolean(document.getElementById("preview")?.contains(document.activeElement));
  if (!form || !row || event.detail.parameters.following === undefined) return;
  event.detail.parameters.following = rowAfter(row)?.dataset.draft || "";
});

/* The focus goes on to what is decided next, so that the next key or Tab starts there. */
function keepFocus() {
  const row = currentRow();
  const focused = document.activeElement;
  if (focused && focused !== document.body && !focused.matches("[data-draft]")) return;
  if (row && WIDE.matches && !wasInPreview) row.focus({ preventScroll: true });
  else focusShown();
}

/* After a decision its row goes, and the one that is shown now becomes the current one. */
onArrival("[data-decided]", (mark) => {
  const decided = document.getElementById(`row-${mark.dataset.decided}`);
  const next = decided && rowAfter(decided);
  decided?.remove();
  mark.remove();
  const shown = shownDraft();
  const row = shown && document.getElementById(`row-${shown}`);
  if (row) markRow(row);
  if (row || !next) writeAddress(shown);
  else openRow(next);
  if (queueRows().length < 5) loadMore();
  const toasts = [...document.querySelectorAll("#toasts .toast")];
  for (const old of toasts.slice(0, Math.max(0, toasts.length - MOST_TOASTS))) old.remove();
  if (!WIDE.matches) scrollTo(0, 0);
  else document.getElementById("preview").scrollTop = 0;
  addUpChosen();
  keepFocus();
});

/* A decision that was undone: its row comes back to where the person is. */
onArrival("[data-returned]", (mark) => {
  const row = mark.querySelector("template").content.firstElementChild;
  const { returned } = mark.dataset;
  mark.remove();
  document.getElementById(row.id)?.remove();
  const current = currentRow();
  if (current) current.before(row);
  else document.querySelector("[data-queue-rows]").append(row);
  document.querySelector(`#toasts form[action$="/${CSS.escape(encodeURIComponent(returned))}/undo"]`)?.closest(".toast").remove();
  for (const old of document.querySelectorAll("#toasts .toast:not(:has(form), :last-child)")) old.remove();
  markRow(row);
  writeAddress(returned);
  keepFocus();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (openQueue()?.dataset.queue !== "draft" || !form.matches('#toasts form[action^="/reminders/drafts/"]')) return;
  event.preventDefault();
  htmx.ajax("POST", form.action, { source: form, target: "#preview", swap: "innerHTML settle:0ms" })
    .finally(() => { delete form.dataset.sent; });
});

/* A draft that somebody else decided leaves the list. */
onArrival("[data-gone]", (mark) => document.getElementById(`row-${mark.dataset.gone}`)?.remove());

/* What is shown was seen: a batch approves the draft as it stands here, also after an edit. */
onArrival("[data-preview]", (article) => {
  if (article.parentElement.id === "preview") article.parentElement.scrollTop = 0;
  const box = document.getElementById(`row-${article.dataset.preview}`)?.querySelector("input[type=checkbox]");
  if (box) box.value = `${article.dataset.preview} ${article.dataset.seen}`;
});

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("[data-queue-more]")) {
    event.preventDefault();
    loadMore();
    return;
  }
  const link = event.target.closest(".queue-link");
  if (!link || !WIDE.matches) return;
  event.preventDefault();
  openRow(link.closest("[data-draft]"), true);
});

/* How many are chosen, and what they come to in each currency. */
function addUpChosen() {
  const line = document.querySelector("[data-batch-sum]");
  if (!line) return;
  const chosen = [...document.querySelectorAll('[data-queue-rows] input[name="chosen"]:checked')];
  const sums = new Map();
  for (const { dataset } of chosen) {
    if (!dataset.currency) continue;
    const places = (dataset.amount.split(".")[1] || "").length;
    const sum = sums.get(dataset.currency) || { units: 0, places };
    sum.units += Math.round(Number(dataset.amount) * 10 ** places);
    sums.set(dataset.currency, sum);
  }
  const words = document.createElement("strong");
  words.textContent = fill(line.dataset.text, { number: chosen.length });
  const amounts = [...sums].sort().map(([currency, { units, places }]) => {
    const amount = document.createElement("span");
    amount.className = "money";
    const digits = { minimumFractionDigits: places, maximumFractionDigits: places };
    const figure = new Intl.NumberFormat(document.documentElement.lang, digits).format(units / 10 ** places);
    amount.textContent = `${figure} ${currency}`;
    return amount;
  });
  const column = document.createElement("span");
  column.className = "amounts";
  column.append(...amounts);
  line.replaceChildren(words, column);
  const all = document.querySelector("[data-choose-all]");
  all.checked = chosen.length > 0 && chosen.length === queueRows().length;
  all.indeterminate = chosen.length > 0 && !all.checked;
}
document.addEventListener("change", (event) => {
  if (event.target.matches('[name="chosen"], [data-choose-all]')) addUpChosen();
});
onArrival("[data-batch-sum]", addUpChosen);
window.addEventListener("pageshow", addUpChosen);

/* In a form of several buttons Enter presses the one beside the field, not the first of the form. */
document.addEventListener("keydown", (event) => {
  const part = event.key === "Enter" && event.target.matches("input") && event.target.closest("[data-own-button]");
  if (!part) return;
  event.preventDefault();
  part.querySelector("button").click();
});

/* What a button of the bar opens takes the focus at once. */
document.addEventListener("click", (event) => {
  const opener = event.target.closest(".decide-more > summary");
  if (!opener) return;
  event.preventDefault();
  const part = opener.parentElement;
  part.open = !part.open;
  if (part.open) part.querySelector("input:not([type=hidden]), button")?.focus({ preventScroll: WIDE.matches });
});

/* Escape closes what is open. Words that were not saved stay, and only the keys work again. */
function closeOpen() {
  const open = document.querySelector("[data-queue] .decide-more[open]");
  const cancel = document.querySelector('#preview [data-key="Escape"]');
  if (open) open.open = false;
  else if (cancel && !isUnsaved()) cancel.click();
  document.getElementById("preview")?.focus();
}

const QUEUE_KEYS = {
  j: () => step(1),
  k: () => step(-1),
  x: () => currentRow()?.querySelector("input[type=checkbox]")?.click(),
};

document.addEventListener("keydown", (event) => {
  if (!openQueue() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    closeOpen();
    return;
  }
  if (event.key === "Enter" && event.target.matches("[data-draft]")) {
    if (WIDE.matches) focusShown();
    else event.target.querySelector(".queue-link").click();
    return;
  }
  if (!keysAreOn() || document.querySelector("dialog[open]")) return;
  if (typing(event.target)) return;
  const act = QUEUE_KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

/* An edit that was not saved is not left by accident; Ctrl and Enter save it. */
onArrival("form[data-unsaved]", (form) => {
  form.addEventListener("input", () => { form.dataset.changed = "yes"; });
  form.addEventListener("submit", () => { delete form.dataset.changed; });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  if (form.closest("#preview")) form.querySelector("textarea")?.focus();
});
window.addEventListener("beforeunload", (event) => {
  if (isUnsaved()) event.preventDefault();
});
