/* A queue of things to decide beside the one that is looked at: keys walk it, and each decision goes on to the next.
   The list carries data-queue-rows, its rows data-draft; the part beside it is #preview. keys.js presses what carries
   a key as data-key, so that everything here can be done by hand too. */
const WIDE = window.matchMedia("(min-width: 1001px)");
const MOST_TOASTS = 3;

const queueRows = () => [...document.querySelectorAll("[data-queue-rows] [data-draft]")];
const currentRow = () => document.querySelector("[data-queue-rows] [aria-current]");
const isUnsaved = () => document.querySelector("form[data-unsaved][data-changed]");

function markRow(row) {
  currentRow()?.removeAttribute("aria-current");
  row.setAttribute("aria-current", "true");
  row.scrollIntoView({ block: "nearest" });
}

function openRow(row) {
  if (isUnsaved()) {
    say(texts().editOpen, "plain");
    return;
  }
  markRow(row);
  const preview = document.getElementById("preview");
  preview.setAttribute("aria-busy", "true");
  const address = `/reminders/drafts/${encodeURIComponent(row.dataset.draft)}`;
  htmx.ajax("GET", address, { target: preview, swap: "innerHTML settle:0ms" }).then(() => {
    preview.removeAttribute("aria-busy");
    preview.scrollTop = 0;
  });
}

/* The rows of the next page come to the end of this one. */
async function loadMore() {
  const link = document.querySelector("[data-queue-more]");
  if (!link || link.dataset.asked) return;
  link.dataset.asked = "yes";
  const place = link.closest("li");
  const current = currentRow();
  await htmx.ajax("GET", link.getAttribute("href"), {
    target: place, select: "[data-queue-rows] > li", swap: "outerHTML settle:0ms",
  });
  for (const row of queueRows()) if (row !== current) row.removeAttribute("aria-current");
}

async function step(by) {
  const rows = queueRows();
  const at = rows.indexOf(currentRow());
  if (at + by >= rows.length) await loadMore();
  const target = queueRows()[at < 0 ? 0 : at + by];
  if (target) openRow(target);
}

/* The row to go on to when this one is decided. */
function rowAfter(row) {
  const rows = queueRows();
  const at = rows.indexOf(row);
  return rows[at + 1] || rows[at - 1] || null;
}

document.addEventListener("htmx:configRequest", (event) => {
  const form = event.detail.elt.closest?.("#preview form");
  const row = currentRow();
  if (!form || !row || !("following" in event.detail.parameters)) return;
  event.detail.parameters.following = rowAfter(row)?.dataset.draft || "";
});

/* After a decision its row goes, and the one that is shown now becomes the current one. */
onArrival("[data-decided]", (mark) => {
  const decided = document.getElementById(`row-${mark.dataset.decided}`);
  const next = decided && rowAfter(decided);
  decided?.remove();
  mark.remove();
  const shown = document.querySelector("#preview [data-preview]");
  const row = shown && document.getElementById(`row-${shown.dataset.preview}`);
  if (row) markRow(row);
  else if (next) openRow(next);
  if (queueRows().length < 5) loadMore();
  const toasts = [...document.querySelectorAll("#toasts .toast")];
  for (const old of toasts.slice(0, Math.max(0, toasts.length - MOST_TOASTS))) old.remove();
});

/* What is shown was seen: a batch approves the draft as it stands here, also after an edit. */
onArrival("[data-preview]", (article) => {
  const box = document.getElementById(`row-${article.dataset.preview}`)?.querySelector("input[type=checkbox]");
  if (box) box.value = `${article.dataset.preview} ${article.dataset.seen}`;
});

document.addEventListener("click", (event) => {
  const link = event.target.closest(".queue-link");
  if (!link || !WIDE.matches || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openRow(link.closest("[data-draft]"));
});

/* In a form of several buttons Enter presses the one beside the field, not the first of the form. */
document.addEventListener("keydown", (event) => {
  const part = event.key === "Enter" && event.target.matches("input") && event.target.closest("[data-own-button]");
  if (!part) return;
  event.preventDefault();
  part.querySelector("button").click();
});

/* Escape closes what is open. Words that were not saved stay, and only the keys work again. */
function closeOpen() {
  const open = document.querySelector("[data-queue] details[data-key][open]");
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
  const queue = document.querySelector("[data-queue]");
  if (!queue || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    closeOpen();
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
