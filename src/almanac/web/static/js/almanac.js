/* What the pages do beyond plain HTML. Everything here improves a page that also works without it. */
"use strict";

/* Whether keys belong to the element: letters are typed there. */
const typing = (element) =>
  element.closest("input:not([type=checkbox], [type=button], [type=submit]), textarea, select, [contenteditable]");

/* Single keys can be switched off, since speech input and other tools may press them by accident. */
const keysAreOn = () => !("noKeys" in document.body.dataset);

/* What scripts say is in the page, in its language. */
const texts = () => document.getElementById("texts").dataset;
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/* Toasts: dismissed by hand; the harmless ones leave by themselves. */
function armToast(toast) {
  toast.querySelector("[data-dismiss]")?.addEventListener("click", () => toast.remove());
  if (toast.hasAttribute("data-fades")) setTimeout(() => toast.remove(), 8000);
}

function say(text, tone) {
  const toast = document.createElement("div");
  toast.className = `toast toast-${tone}`;
  const words = document.createElement("p");
  words.textContent = text;
  const dismiss = document.createElement("button");
  dismiss.className = "button button-quiet button-small";
  dismiss.dataset.dismiss = "";
  dismiss.textContent = texts().dismiss;
  toast.append(words, dismiss);
  document.getElementById("toasts").append(toast);
  armToast(toast);
}

document.addEventListener("htmx:responseError", (event) => {
  let sentence = texts().failed;
  try {
    sentence = JSON.parse(event.detail.xhr.responseText).detail || sentence;
  } catch { /* a proxy may answer with something else than a problem */ }
  say(sentence, "failed");
});
document.addEventListener("htmx:sendError", () => say(texts().unreachable, "failed"));

/* The theme changes at once; the server remembers it. */
function armThemeSwitch(form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const theme = event.submitter.value;
    document.documentElement.dataset.theme = theme;
    for (const button of form.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.value === theme));
    }
    fetch(form.action, { method: "POST", body: new FormData(form, event.submitter) }).catch(() =>
      say(texts().themeUnsaved, "failed"));
  });
}

/* A second click on a form that is on its way does nothing. */
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

function armCopy(button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
    button.textContent = texts().copied;
  });
}

/* Choosing all rows of a table, and how many are chosen. */
function armChooseAll(box) {
  const rows = () => document.querySelectorAll(`input[type="checkbox"][name="${box.dataset.chooseAll}"]`);
  box.hidden = false;
  box.addEventListener("change", () => rows().forEach((row) => { row.checked = box.checked; }));
}

/* A form about chosen rows stays where it is, and says so, as long as none is chosen. */
function armNeedsChoice(form) {
  form.addEventListener("submit", (event) => {
    if (form.querySelector('input[name="chosen"]:checked')) return;
    event.preventDefault();
    say(form.dataset.needsChoice, "plain");
  });
}

/* Nothing is replaced between pressing and releasing: the click would hit nothing. */
let isPressing = false;
document.addEventListener("pointerdown", () => { isPressing = true; }, true);
for (const name of ["pointerup", "pointercancel", "dragend"]) {
  document.addEventListener(name, () => setTimeout(() => { isPressing = false; }), true);
}

async function pressed() {
  while (isPressing) await new Promise((go) => setTimeout(go, 20));
}

/* What somebody opened and typed in a part, to be put back when the server's version of the part has replaced it. What
   is being sent is not kept: the answer says what became of it. */
function keepInput(part) {
  const nameOf = (details) => `${details.closest("[id]")?.id} ${details.querySelector("summary")?.textContent.trim()}`;
  const opened = new Set([...part.querySelectorAll("details[open]")].map(nameOf));
  const isTyped = (field) => field.id && field.value !== field.defaultValue && !field.closest("[data-sent], .htmx-request");
  const typed = [...part.querySelectorAll("input:not([type=checkbox], [type=radio], [type=file]), textarea")].filter(isTyped);
  return () => {
    const fresh = document.getElementById(part.id);
    for (const details of fresh?.querySelectorAll("details:not([open])") || []) {
      if (opened.has(nameOf(details))) details.open = true;
    }
    for (const field of typed) {
      const now = document.getElementById(field.id);
      if (now) now.value = field.value;
    }
  };
}

/* What a job brought is loaded into its part of the page, and into all of the page's work where nobody is writing:
   what stands beside it follows from it. An open editor is never replaced, nor one that is opened meanwhile. */
async function refresh(work) {
  const isOpen = (part) => part.querySelector("textarea[data-counts]");
  const { refresh: address, target: name } = work.dataset;
  const wholeName = work.closest("[data-work]")?.id;
  const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
  const page = answer?.ok && await answer.text();
  await pressed();
  const whole = wholeName && document.getElementById(wholeName);
  const target = whole && !isOpen(whole) ? whole : document.getElementById(name);
  if (!target) return;
  if (!page || isOpen(target)) {
    if (page) say(texts().textReady, "plain");
    else say(answer ? texts().failed : texts().unreachable, "failed");
    return;
  }
  const putBack = keepInput(target);
  htmx.swap(target, page, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 }, { select: `#${CSS.escape(target.id)}` });
  putBack();
}

/* Live fragments: each piece of HTML in an event replaces the element of the same id. The stream is open only while
   the page is seen, since a browser allows few connections to one server.

   Work of a job (data-job, with data-running while it is under way) is loaded again when it is over. The stream is told
   which jobs the page shows as under way and begins with how they stand, so that none can end unseen: not before the
   stream is there, and not while a part of the page that shows it is on its way. */
const MOST_JOBS = 100;
let stream = null;
const asked = new Set(), told = new Set(), over = new Set();

const isRunning = (work) => "running" in work.dataset;
const jobsUnderWay = () =>
  [...document.querySelectorAll("[data-running][data-job]")].slice(0, MOST_JOBS).map((work) => work.dataset.job);

function note(work) {
  const { job } = work.dataset;
  if (!job) return;
  told.add(job);
  if (isRunning(work)) over.delete(job);
  else over.add(job);
}

function replaceFragments(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  for (const fresh of [...template.content.children]) {
    note(fresh);
    const old = document.getElementById(fresh.id);
    if (!old || old.contains(document.querySelector(":popover-open"))) continue;
    const isAnother = fresh.dataset.job && fresh.dataset.job !== old.dataset.job;
    const ended = !isRunning(fresh) && (isRunning(old) || isAnother);
    old.replaceWith(fresh);
    window.htmx?.process(fresh);
    arm(fresh);
    if (ended && fresh.dataset.refresh) refresh(fresh);
  }
}

function listen(address) {
  stream?.close();
  const url = new URL(address, location.href);
  asked.clear();
  told.clear();
  for (const job of jobsUnderWay()) {
    asked.add(job);
    url.searchParams.append("jobs", job);
  }
  stream = new EventSource(url);
  stream.onmessage = async (event) => {
    await pressed();
    replaceFragments(event.data);
  };
  /* After a broken connection the browser asks as it did at first, but other jobs may be under way by now. */
  stream.onopen = () => { if (jobsUnderWay().some((job) => !asked.has(job))) listen(address); };
}

function follow() {
  const address = document.body.dataset.live;
  if (!address) return;
  if (document.hidden) {
    stream?.close();
    stream = null;
  } else if (!stream || jobsUnderWay().some((job) => !asked.has(job) && !told.has(job))) {
    listen(address);
  }
}
document.addEventListener("visibilitychange", follow);
window.addEventListener("pagehide", () => { stream?.close(); stream = null; });

/* What other scripts want to do with elements of a kind, whenever such an element comes to the page. */
const armed = [];

function onArrival(selector, prepare) {
  armed.push([selector, prepare]);
}

function arm(root) {
  for (const [selector, prepare] of armed) {
    for (const element of root.querySelectorAll(selector)) prepare(element);
    if (root.matches?.(selector)) prepare(root);
  }
  for (const toast of root.querySelectorAll(".toast")) armToast(toast);
  for (const form of root.querySelectorAll("[data-theme-switch]")) armThemeSwitch(form);
  for (const button of root.querySelectorAll("[data-copy]")) armCopy(button);
  for (const box of root.querySelectorAll("[data-choose-all]")) armChooseAll(box);
  for (const form of root.querySelectorAll("[data-needs-choice]")) armNeedsChoice(form);
  for (const tab of root.querySelectorAll(".tabs [aria-current]")) {
    tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft - 24;
  }
  for (const field of root.querySelectorAll("[data-time-zone]")) {
    if (!field.value) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  }
}

onArrival("[data-running][data-job]", (work) => {
  if (over.has(work.dataset.job)) refresh(work);
  else follow();
});

document.addEventListener("DOMContentLoaded", () => {
  arm(document);
  follow();
});
/* htmx also announces the whole page once, which is armed already. */
document.addEventListener("htmx:load", (event) => {
  if (event.detail.elt !== document.body) arm(event.detail.elt);
});
