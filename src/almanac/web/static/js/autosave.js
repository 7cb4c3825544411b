/* Forms that save themselves. The form carries data-autosave with the id of the line that says when it was saved;
   htmx sends it, this tells how that went and sends what is left when the page is closed. */
const UNSENT_AFTER = 2500;
const saveLine = (form) => document.getElementById(form.dataset.autosave);

function tellSaving(form, words, state) {
  const line = saveLine(form);
  if (!line) return;
  delete line.dataset.savedAt;
  line.dataset.state = state;
  line.textContent = words;
}

function ago(moment) {
  const seconds = Math.max(0, Math.round((Date.now() - moment) / 1000));
  if (seconds < 2) return texts().savedNow;
  if (seconds < 60) return fill(texts().savedSeconds, { number: seconds });
  if (seconds < 3600) return fill(texts().savedMinutes, { number: Math.floor(seconds / 60) });
  return fill(texts().savedHours, { number: Math.floor(seconds / 3600) });
}

function sendNow(form) {
  const body = new FormData(form);
  const headers = { "HX-Request": "true", "X-CSRF-Token": body.get("csrf_token") };
  fetch(form.action, { method: "POST", body, headers, keepalive: true }).catch(() => {});
}

/* On the document, so that what is typed before a new form is set up counts too. */
document.addEventListener("input", (event) => {
  const form = event.target.closest?.("form[data-autosave]");
  if (!form) return;
  form.dataset.changed = "yes";
  tellSaving(form, "Saving…", "saving");
  setTimeout(() => sendUnsent(form), UNSENT_AFTER);
});

/* An input event that came before htmx listened is sent a little later. */
function sendUnsent(form) {
  const waits = form.isConnected && form.dataset.changed && !form.classList.contains("htmx-request");
  if (waits) trigger(form);
}

/* Starts the sending by the first event that the form names for it. */
function trigger(form) {
  htmx.trigger(form, /^\s*input/.test(form.getAttribute("hx-trigger") || "") ? "input" : "change");
}

onArrival("form[data-autosave]", (form) => {
  if (form.dataset.changed) setTimeout(() => trigger(form));
  form.addEventListener("htmx:beforeRequest", (event) => {
    // The whole form is on its way already, and the page with it.
    if (form.dataset.sent) event.preventDefault();
    else delete form.dataset.changed;
  });
  form.addEventListener("htmx:sendError", () => {
    form.dataset.changed = "yes";
    tellSaving(form, texts().unsavedUnreachable, "failed");
    setTimeout(() => { if (form.isConnected && form.dataset.changed) trigger(form); }, 5000);
  });
  form.addEventListener("htmx:responseError", () => tellSaving(form, texts().unsaved, "failed"));
  form.addEventListener("submit", (event) => {
    if (form.classList.contains("htmx-request")) {
      sendAfterwards(form, event);
    } else {
      delete form.dataset.changed;
    }
  });
});

/* A form that is being saved knows its new version only afterwards; sent before, it would contradict itself. */
function sendAfterwards(form, event) {
  event.preventDefault();
  const button = event.submitter;
  form.addEventListener("htmx:afterRequest", () => setTimeout(() => form.requestSubmit(button)), { once: true });
}

/* The moment of saving is taken from this clock, which may differ from the server's. */
onArrival("[data-saved-now]", (line) => {
  delete line.dataset.savedNow;
  line.dataset.savedAt = String(Date.now());
});

setInterval(() => {
  for (const line of document.querySelectorAll("[data-saved-at]")) {
    line.textContent = ago(Number(line.dataset.savedAt));
  }
}, 1000);

window.addEventListener("pagehide", () => {
  for (const form of document.querySelectorAll("form[data-autosave][data-changed]")) sendNow(form);
});

/* Words and minutes of a text area, as they are counted on the server: references don't count. */
const UNSPACED = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f]/gu;
const WORD = /[\p{L}\p{N}]+(?:['’.,-][\p{L}\p{N}]+)*/gu;

function countText(text) {
  const readable = text.replace(/\[@[^\]]*\]/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  const characters = (readable.match(UNSPACED) || []).length;
  const words = (readable.replace(UNSPACED, " ").match(WORD) || []).length;
  const minutes = Math.ceil(words / 250 + characters / 500);
  return { words: words + characters, minutes };
}

onArrival("textarea[data-counts]", (area) => {
  const line = document.getElementById(area.dataset.counts);
  const show = () => {
    const { words, minutes } = countText(area.value);
    const pattern = words === 1 ? texts().oneWord : texts().words;
    line.textContent = fill(pattern, { words: words.toLocaleString(document.documentElement.lang), minutes });
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + 4}px`;
  };
  area.addEventListener("input", show);
  show();
});

/* A preset of the tone moves both sliders; moving one makes the tone one's own. */
onArrival("[data-tones]", (tones) => {
  const sliders = [...tones.querySelectorAll("input[type=range]")];
  const presets = [...tones.querySelectorAll("input[type=radio]")];
  const show = () => sliders.forEach((slider) => {
    tones.querySelector(`output[for="${slider.id}"]`).textContent = slider.value;
  });
  for (const preset of presets) {
    preset.addEventListener("change", () => {
      const values = [preset.dataset.professional, preset.dataset.technical];
      if (values[0]) sliders.forEach((slider, at) => { slider.value = values[at]; });
      show();
    });
  }
  for (const slider of sliders) {
    slider.addEventListener("input", () => {
      presets.find((preset) => preset.value === "own").checked = true;
      show();
    });
  }
  show();
});
