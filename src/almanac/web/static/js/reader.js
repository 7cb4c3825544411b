/* The source reader: walking to a sentence opens its source with the words in view, Space gives or takes back the
   verdict. Without this the sentences are links and the verdict is a form. */
const readerRow = () => document.querySelector("[data-reader] .reader-sentence[aria-current]");

/* The marked words come into the upper third of the source, and the page itself stays where it is. */
onArrival("#reader-source", (source) => {
  const words = source.querySelector("#words");
  if (!words) return;
  source.scrollTop += words.getBoundingClientRect().top - source.getBoundingClientRect().top - source.clientHeight / 3;
});

/* The chosen sentence is in view when the page opens, and the keys go on from it. A verdict replaces its row, which
   gets the focus back that it had. */
onArrival("[data-reader]", () => readerRow()?.scrollIntoView({ block: "nearest" }));
let focusedRow = "";
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  if (event.target.contains(document.activeElement)) focusedRow = event.target.id;
});
onArrival(".reader-sentence[aria-current]", (row) => {
  row.tabIndex = 0;
  walked = row;
  if (row.id === focusedRow) row.focus({ preventScroll: true });
  focusedRow = "";
});

function markSentence(row) {
  if (readerRow() === row) return;
  readerRow()?.removeAttribute("aria-current");
  row.setAttribute("aria-current", "true");
}

const isSheet = () => getComputedStyle(document.getElementById("reader-pane")).position === "fixed";

/* A sentence that is walked to opens; what is open already isn't loaded again. */
function openSentence(row) {
  const isOpen = readerRow() === row && !document.querySelector("#reader-pane.is-default");
  markSentence(row);
  if (!isOpen) row.querySelector("a").click();
}

document.addEventListener("focusin", (event) => {
  if (event.target.matches?.("[data-reader] .reader-sentence")) openSentence(event.target);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-reader] .reader-sentence a");
  if (link) {
    markSentence(link.closest(".reader-sentence"));
    link.closest(".reader-sentence").scrollIntoView({ block: "nearest" });
  }
  const next = event.target.closest?.("[data-reader] [data-next]");
  const row = next && readerRow();
  const rows = [...document.querySelectorAll(".reader-sentence")];
  const following = row && rows[rows.indexOf(row) + 1];
  if (!following || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  goToRow(following);
});

function closePane(event) {
  const pane = document.getElementById("reader-pane");
  if (!pane || !isSheet() || pane.classList.contains("is-default")) return;
  event.preventDefault();
  pane.classList.add("is-default");
  readerRow()?.querySelector("a").focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-close-pane]")) closePane(event);
});

/* Space presses a control that holds the focus as ever; anywhere else it is the verdict. */
document.addEventListener("keydown", (event) => {
  if (!document.querySelector("[data-reader]") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") closePane(event);
  const isControl = event.target.closest("button, summary, input, textarea, select, [contenteditable]");
  if (event.key !== " " || !keysAreOn() || isControl || document.querySelector("dialog[open], :popover-open:not([popover=manual])")) return;
  event.preventDefault();
  if (!event.repeat) document.querySelector("#reader-verdict form[data-verdict]")?.requestSubmit();
});

/* A reference in a draft opens the same source beside the draft; where there is no room beside it, it leads to the reader.
   Escape goes back to the reference. */
let openedFrom = null;

document.addEventListener("click", (event) => {
  const reference = event.target.closest?.("a[data-reference]");
  if (!reference) return;
  if (!window.matchMedia("(min-width: 1001px)").matches) {
    event.stopPropagation();
    return;
  }
  openedFrom?.removeAttribute("aria-current");
  reference.setAttribute("aria-current", "true");
  openedFrom = reference;
}, true);

document.addEventListener("htmx:afterSettle", (event) => {
  if (openedFrom && event.detail.requestConfig?.elt === openedFrom) document.getElementById("reader-source").focus();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && openedFrom && event.target.closest?.("#reader-source")) openedFrom.focus();
});

/* Citing a source puts its marker where the writing stands. */
onArrival("[data-insert]", (button) => {
  button.addEventListener("click", () => {
    const area = document.getElementById(button.dataset.into);
    area.setRangeText(button.dataset.insert, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
    area.focus();
  });
});
