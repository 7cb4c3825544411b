/* The command palette (Ctrl or ⌘ and K) and the keys of the page (?). Both are dialogs of the browser: focus stays inside,
   Escape closes, and focus goes back to where it was. Without scripts, /palette and /shortcuts are pages. */
const MOST_RECENT = 6;
const palette = () => document.getElementById("palette");
const paletteList = () => document.getElementById("palette-list");
const recentKey = () => `almanac-recent-${document.body.dataset.user || ""}`;

let paletteRequest = null;
let shownFor = null;
let typingPause = 0;

function readRecent() {
  try {
    return JSON.parse(localStorage.getItem(recentKey())) || [];
  } catch { return []; }
}

function remember(title, href) {
  const others = readRecent().filter((item) => item.href !== href);
  try {
    localStorage.setItem(recentKey(), JSON.stringify([{ title, href }, ...others].slice(0, MOST_RECENT)));
  } catch { /* without storage nothing is remembered */ }
}

/* What somebody opened is not for the next person at this computer. */
document.addEventListener("submit", (event) => {
  if (event.target.getAttribute("action") === "/sign-out") localStorage.removeItem(recentKey());
});

const options = () => [...paletteList().querySelectorAll('[role="option"]:not([aria-disabled])')];

function choose(option) {
  const field = document.getElementById("palette-field");
  for (const other of options()) other.setAttribute("aria-selected", String(other === option));
  if (option) {
    field.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  } else field.removeAttribute("aria-activedescendant");
}

function recentGroup() {
  const items = readRecent();
  if (!items.length) return null;
  const group = document.createElement("div");
  group.setAttribute("role", "group");
  const heading = document.createElement("div");
  heading.className = "palette-group";
  heading.id = "palette-recent";
  heading.setAttribute("role", "presentation");
  heading.textContent = paletteList().dataset.recent;
  group.setAttribute("aria-labelledby", heading.id);
  group.append(heading);
  items.forEach((item, place) => {
    const option = document.createElement("a");
    Object.assign(option, { href: item.href, id: `palette-recent-${place}`, className: "palette-option", tabIndex: -1 });
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    option.dataset.title = item.title;
    option.textContent = item.title;
    group.append(option);
  });
  return group;
}

/* Enter takes what belongs to the words in the field, not what was shown for the letters before. */
async function takeChosen(words) {
  clearTimeout(typingPause);
  if (shownFor !== words) await fillPalette(words);
  if (shownFor === words) take(options().find((option) => option.getAttribute("aria-selected") === "true"));
}

async function fillPalette(words) {
  paletteRequest?.abort();
  paletteRequest = new AbortController();
  const query = new URLSearchParams({ q: words, page: location.pathname });
  try {
    const answer = await fetch(`/palette?${query}`, { headers: { "HX-Request": "true" }, signal: paletteRequest.signal });
    if (!answer.ok) return;
    paletteList().innerHTML = await answer.text();
  } catch { return; }
  shownFor = words;
  const recent = words ? null : recentGroup();
  if (recent) paletteList().prepend(recent);
  const found = options();
  const recents = new Set(readRecent().map((item) => item.href));
  choose(found.find((option) => words && recents.has(option.getAttribute("href"))) || found[0]);
  const status = document.getElementById("palette-status");
  status.textContent = found.length ? "" : status.dataset.nothing;
}

function openPalette() {
  if (!palette() || palette().open) return;
  const field = document.getElementById("palette-field");
  field.value = "";
  palette().showModal();
  field.focus();
  fillPalette("");
}

function send(option) {
  const form = document.createElement("form");
  form.method = "post";
  form.action = option.dataset.post;
  const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRF-Token"];
  for (const [name, value] of Object.entries({ ...JSON.parse(option.dataset.values), csrf_token: token })) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    form.append(field);
  }
  document.body.append(form);
  form.requestSubmit();
}

function take(option) {
  if (!option) return;
  palette().close();
  if (option.dataset.post) {
    send(option);
    return;
  }
  remember(option.dataset.title, option.getAttribute("href"));
  location.assign(option.href);
}

function stepThrough(by) {
  const found = options();
  const at = found.findIndex((option) => option.getAttribute("aria-selected") === "true");
  choose(found[(at + by + found.length) % found.length]);
}

async function showKeys() {
  const dialog = document.getElementById("shortcuts");
  if (!dialog || dialog.open) return;
  const rows = String(Boolean(document.querySelector("[data-row]")));
  const query = new URLSearchParams({ page: location.pathname, rows });
  const answer = await fetch(`/shortcuts?${query}`, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok) return;
  dialog.querySelector("[data-keys]").innerHTML = await answer.text();
  if (!dialog.open) dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
    event.preventDefault();
    if (palette()?.open) palette().close();
    else openPalette();
  } else if (event.key === "?" && !event.ctrlKey && !event.metaKey && !event.altKey && keysAreOn() && !typing(event.target)) {
    event.preventDefault();
    showKeys();
  }
});

onArrival("[data-palette]", (link) => link.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openPalette();
}));

onArrival("[data-show-keys]", (button) => {
  button.hidden = false;
  button.addEventListener("click", showKeys);
});

onArrival("#palette-field", (field) => {
  field.addEventListener("input", () => {
    clearTimeout(typingPause);
    typingPause = setTimeout(() => fillPalette(field.value.trim()), 40);
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      event.stopPropagation();
      stepThrough(step);
    } else if (event.key === "Enter") {
      event.preventDefault();
      takeChosen(field.value.trim());
    }
  });
});

onArrival("#palette", (dialog) => dialog.addEventListener("click", (event) => {
  const option = event.target.closest('[role="option"]:not([aria-disabled])');
  if (event.target === dialog) dialog.close();
  else if (option && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    take(option);
  }
}));
