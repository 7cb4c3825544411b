/* Focus is never lost to a partial update. When the element that holds the focus is removed, by whatever means, the focus
   goes to the element that took its place, else to the row after it, else to the heading of the part that changed. What
   another script focuses after that wins. */
const FOCUSABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
const ROWS = "[data-row], li, tr, article";
let focused = null, focusedBefore = null;

const isFocusable = (element) => element.matches(FOCUSABLE) && !element.disabled && element.checkVisibility();
const isLost = () => !document.activeElement || document.activeElement === document.body;

/* What makes a person take two elements for the same one. */
const likeness = (element) => [
  element.tagName, element.name, element.value, element.type, element.dataset.key, element.getAttribute("href"),
  element.form?.getAttribute("action"), element.className,
].join("\n");
const roughLikeness = (element) => `${element.tagName} ${element.className}`;

function findTwin(lost, part) {
  const others = [...part.querySelectorAll(lost.tagName)].filter(isFocusable);
  return others.find((other) => likeness(other) === likeness(lost))
    || others.find((other) => lost.name && other.name === lost.name && other.value === lost.value)
    || others.find((other) => lost.dataset.key && other.dataset.key === lost.dataset.key)
    || others.find((other) => lost.className && roughLikeness(other) === roughLikeness(lost));
}

/* The part of the page that was replaced, as it is now: the innermost one around the lost element that has an id. */
function partOf(lost, place) {
  for (let element = lost.parentElement; element; element = element.parentElement) {
    const now = element.id && document.getElementById(element.id);
    if (now) return now;
  }
  return place?.closest("section, article, form, main") || document.querySelector("main");
}

function headingOf(part) {
  const label = part.getAttribute("aria-labelledby");
  return (label && document.getElementById(label)) || part.querySelector("h1, h2, h3") || part;
}

/* The row that follows the removed one, or comes before it if it was the last. */
function rowBeside(removal) {
  const beside = (node, way) => {
    while (node && !(node.nodeType === Node.ELEMENT_NODE && node.matches(ROWS))) node = node[way];
    return node?.isConnected && node.checkVisibility() ? node : null;
  };
  const removed = [...removal.removedNodes].find((node) => node.matches?.(ROWS));
  return removed && (beside(removal.nextSibling, "nextSibling") || beside(removal.previousSibling, "previousSibling"));
}

/* Where the removed element was: the outermost removal that took it away, whose place is still on the page. */
const removalOf = (lost, records) =>
  records.findLast((record) => record.target.isConnected && [...record.removedNodes].some((node) => node.contains(lost)));

function successorOf(lost, records) {
  if (lost.closest(".toast") && focusedBefore?.isConnected && isFocusable(focusedBefore)) return focusedBefore;
  const same = lost.id && document.getElementById(lost.id);
  if (same && (isFocusable(same) || (same.matches(ROWS) && same.checkVisibility()))) return same;
  const removal = removalOf(lost, records);
  const part = partOf(lost, removal?.target);
  const isNarrow = part.tagName !== "MAIN";
  const twin = isNarrow && findTwin(lost, part);
  if (twin) return twin;
  const row = removal && rowBeside(removal);
  if (row) return row.matches("[tabindex]") ? row : [...row.querySelectorAll(FOCUSABLE)].find(isFocusable) || row;
  return headingOf(part);
}

function restoreFocus(records) {
  if (!focused || focused.isConnected || !isLost()) return;
  const element = successorOf(focused, records);
  if (!element.matches(FOCUSABLE)) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  if (element.matches(":focus-visible")) element.scrollIntoView({ block: "nearest" });
}

document.addEventListener("focusin", (event) => {
  if (event.target === focused) return;
  focusedBefore = focused;
  focused = event.target;
});
/* Whoever clicks beside everything has let go of the focus; whoever looks at another window has not. */
document.addEventListener("focusout", (event) => {
  if (event.relatedTarget) return;
  queueMicrotask(() => {
    if (focused === event.target && focused.isConnected && isLost() && document.hasFocus()) focused = null;
  });
});
new MutationObserver(restoreFocus).observe(document, { childList: true, subtree: true });
