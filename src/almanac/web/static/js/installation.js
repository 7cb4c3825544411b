/* Almanac as an app: the service worker and its new versions, installing, and what a window without a browser's own
   buttons needs. Pages work the same without any of it. */
const IS_INSTALLED = matchMedia("(display-mode: standalone)").matches || navigator.standalone === true;

/* Whether a person typed something here that a reload would lose. */
function hasUnsentInput() {
  return [...document.querySelectorAll("form[method=post] :is(input, textarea, select)")].some((field) => {
    if (field.type === "hidden" || field.closest("form").dataset.sent) return false;
    if (field.matches("select")) return [...field.options].some((option) => option.selected !== option.defaultSelected);
    if (field.matches("[type=checkbox], [type=radio]")) return field.checked !== field.defaultChecked;
    return field.value !== field.defaultValue;
  });
}

/* A new version waits until the person wants it, and never takes a form away that is being filled in. */
function offerVersion(worker) {
  const template = document.getElementById("new-version");
  if (!template || document.querySelector(".toast [data-take-over]")) return;
  const toast = template.content.firstElementChild.cloneNode(true);
  toast.querySelector("[data-take-over]").addEventListener("click", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      if (hasUnsentInput()) {
        toast.querySelector("p").textContent = toast.dataset.later;
        toast.querySelector("[data-take-over]").remove();
      } else location.reload();
    }, { once: true });
    worker.postMessage("take-over");
  });
  document.getElementById("toasts").append(toast);
  armToast(toast);
}

async function startWorker() {
  const registration = await navigator.serviceWorker.register("/service-worker.js", { updateViaCache: "none" });
  const offerOnceReady = (worker) => {
    const offer = () => { if (worker.state === "installed" && navigator.serviceWorker.controller) offerVersion(worker); };
    worker.addEventListener("statechange", offer);
    offer();
  };
  if (registration.waiting) offerOnceReady(registration.waiting);
  registration.addEventListener("updatefound", () => offerOnceReady(registration.installing));
}
if ("serviceWorker" in navigator) {
  window.addEventListener("load", () => startWorker().catch(() => { /* a private window may not allow it */ }));
}

/* Installing: the browser's own question where it has one, else how it is done by hand. */
let installQuestion = null;
const isApple = /iPhone|iPad|Macintosh/.test(navigator.userAgent) && "ontouchend" in document;

function showInstall() {
  for (const entry of document.querySelectorAll("[data-install]")) {
    entry.hidden = IS_INSTALLED || !(installQuestion || isApple);
  }
}
window.addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  installQuestion = event;
  showInstall();
});
window.addEventListener("appinstalled", () => {
  installQuestion = null;
  for (const entry of document.querySelectorAll("[data-install]")) entry.hidden = true;
});
onArrival("[data-install]", (entry) => {
  showInstall();
  entry.addEventListener("click", () => {
    if (installQuestion) installQuestion.prompt();
    else document.getElementById("install-help").showPopover();
  });
});

/* A window of its own has no Back button. */
onArrival("[data-back]", (button) => {
  button.hidden = !IS_INSTALLED || history.length < 2 || location.pathname === "/";
  button.addEventListener("click", () => history.back());
});

/* The number on the app's icon is what waits for the person, as the navigation shows it. */
onArrival("[data-waiting]", () => {
  const waiting = [...document.querySelectorAll("[data-waiting]")].reduce((sum, count) => sum + Number(count.dataset.waiting), 0);
  (waiting ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.())?.catch(() => {});
});
onArrival('form[action="/sign-out"]', (form) => {
  form.addEventListener("submit", () => navigator.clearAppBadge?.()?.catch(() => {}));
});

/* The page without a connection is nobody's, so the browser remembers which colours its person chose. */
try {
  if (document.querySelector("[data-offline]")) {
    document.documentElement.dataset.theme = localStorage.getItem("theme") || document.documentElement.dataset.theme;
  } else if (document.documentElement.dataset.theme === "system") localStorage.removeItem("theme");
  else localStorage.setItem("theme", document.documentElement.dataset.theme);
} catch { /* a private window may not allow it */ }

/* Without a connection: try again by itself. Who was sending a form goes back to it instead. */
const FIRST_WAIT = 2000, LONGEST_WAIT = 30_000;
onArrival("[data-offline]", (panel) => {
  const part = (name) => panel.querySelector(`[data-offline-${name}]`);
  const wasForm = location.pathname === "/offline" && history.length > 1;
  part("form").hidden = part("return").hidden = !wasForm;
  part("retry").hidden = wasForm;
  const goOn = () => {
    if (wasForm) history.back();
    else if (location.pathname === "/offline") location.assign("/");
    else location.reload();
  };
  for (const name of ["retry", "return"]) {
    part(name).addEventListener("click", (event) => {
      event.preventDefault();
      goOn();
    });
  }
  const tryAgain = async (wait) => {
    const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
    if (!answer?.ok) setTimeout(tryAgain, wait, Math.min(wait * 1.5, LONGEST_WAIT));
    else if (wasForm) {
      part("trying").hidden = true;
      part("back").hidden = false;
    } else goOn();
  };
  setTimeout(tryAgain, FIRST_WAIT, FIRST_WAIT);
  window.addEventListener("online", () => tryAgain(FIRST_WAIT));
});
