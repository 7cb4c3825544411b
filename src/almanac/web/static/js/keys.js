/* One keyboard language for all pages. Any element with data-row is a row of its list: j, k and the arrow keys walk the
   rows from anywhere on the page, Enter opens the row's first link, x presses its checkbox or what carries
   data-key="x" in it. Any other key presses the visible element that carries it as data-key, the last of several.
   A key that is listed in almanac.http.shortcuts is pressed here and nowhere else. */
const MODIFIED = (event) => event.ctrlKey || event.metaKey || event.altKey;
/* Elements that use the arrow keys themselves. */
const ARROW_USERS = "input:not([type=checkbox]), textarea, select, summary, [contenteditable], [role=slider], [role=tablist]";

/* A dialog or a menu that is open keeps the keys for itself; a toast doesn't. */
const isCovered = () => document.querySelector("dialog[open], :popover-open:not([popover=manual])");

const listRows = () => [...document.querySelectorAll("[data-row]")].filter((row) => row.checkVisibility());

/* In view is a row whose beginning is seen below the top bar. */
function isInView(row) {
  const { top, height } = row.getBoundingClientRect();
  const roof = document.querySelector(".top")?.getBoundingClientRect().bottom || 0;
  return top >= roof && top + Math.min(height, 40) <= innerHeight;
}

/* The row to go on from: the one that holds the focus, or the last one walked to, while that is still in view. */
let walked = null;
function rowInUse() {
  const isHere = walked?.isConnected && walked.checkVisibility() && isInView(walked);
  return document.activeElement.closest("[data-row]") || (isHere ? walked : null);
}

/* Tab enters a list at the row that was used last, or at its first one. */
function goToRow(row) {
  for (const other of row.parentElement.querySelectorAll(':scope > [data-row][tabindex="0"]')) other.tabIndex = -1;
  walked = row;
  row.tabIndex = 0;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

/* The row a step away; without a row to start from, the first one in view, or the first one below what is seen. */
function rowAt(step) {
  const rows = listRows();
  const at = rows.indexOf(rowInUse());
  if (at >= 0) return rows[at + step];
  return rows.find(isInView) || (step > 0 ? rows.find((row) => row.getBoundingClientRect().top > 0) : rows.at(-1));
}

/* The page's own search field, or the one in the top bar. */
function searchField() {
  const own = [...document.querySelectorAll("main input[type=search]")].find((field) => field.checkVisibility());
  return own || document.getElementById("global-search");
}

/* Arrow keys scroll as ever where there is no row to go to: no row is in view, or the last one is reached. */
function walkByArrow(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return false;
  const inRow = event.target.closest("[data-row]");
  const fromField = step > 0 && event.target.matches("input[type=search]:not([list])");
  if (!fromField && event.target.closest(ARROW_USERS)) return false;
  const row = fromField ? listRows()[0] : rowAt(step);
  if (row && (inRow || fromField || isInView(row))) goToRow(row);
  else if (inRow && step < 0 && inRow === listRows()[0]) searchField()?.focus();
  else return false;
  return true;
}

function press(element) {
  if (element.tagName !== "DETAILS") {
    element.click();
    return;
  }
  element.open = true;
  element.querySelector("form input:not([type=hidden]), form button")?.focus();
}

const isPressable = (element) => (element.querySelector("summary") || element).checkVisibility() && !element.disabled;

/* What a key presses: in the row in use before the rest of the page. */
function keyed(key, row) {
  const name = `[data-key="${CSS.escape(key)}"]`;
  const inRow = row && [...row.querySelectorAll(name)].find(isPressable);
  if (key === "x") return inRow || row?.querySelector("input[type=checkbox]:not(:disabled)");
  return inRow || [...document.querySelectorAll(name)].findLast((element) => isPressable(element) && !element.closest("[data-row]"));
}

/* `g` and a letter go to a place of the navigation, which shows the letters for as long as one is awaited. */
const LONGEST_PAUSE = 2000;
let goingEnds = 0;

function awaitPlace() {
  document.body.dataset.going = "";
  goingEnds = setTimeout(() => { delete document.body.dataset.going; }, LONGEST_PAUSE);
}

function goToPlace(key) {
  clearTimeout(goingEnds);
  delete document.body.dataset.going;
  document.querySelector(`[data-go="${CSS.escape(key)}"]`)?.click();
}

function useKey(event) {
  if ("going" in document.body.dataset) {
    goToPlace(event.key);
    return true;
  }
  if (event.key === "g") {
    awaitPlace();
    return true;
  }
  const step = { j: 1, k: -1 }[event.key];
  if (step) {
    const row = rowAt(step);
    if (row) goToRow(row);
    return Boolean(row);
  }
  if (event.key === "/") {
    const field = searchField();
    field?.focus();
    field?.select();
    return Boolean(field);
  }
  const element = event.key.length === 1 && keyed(event.key, rowInUse());
  if (element) press(element);
  return Boolean(element);
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || MODIFIED(event) || isCovered()) return;
  const row = event.target.closest("[data-row]");
  let isUsed = walkByArrow(event);
  if (!isUsed && event.key === "Enter" && event.target === row) {
    (row.querySelector("a[href]") ?? (row.matches("summary") ? row : null))?.click();
    isUsed = true;
  }
  if (!isUsed && keysAreOn() && !typing(event.target)) isUsed = useKey(event);
  if (isUsed) event.preventDefault();
});

onArrival("[data-row]", (row) => {
  row.tabIndex = row.parentElement.querySelector(":scope > [data-row]") === row ? 0 : -1;
});
