/* A source beside the text: opening a reference moves to it, Escape goes back to the reference. */
let openedFrom = null;

document.addEventListener("htmx:afterSettle", () => {
  const panel = document.getElementById("source-panel");
  if (!panel || !panel.dataset.fresh) return;
  delete panel.dataset.fresh;
  panel.querySelector("h2")?.focus();
});

document.addEventListener("click", (event) => {
  const reference = event.target.closest("a[data-reference]");
  if (!reference) return;
  for (const one of document.querySelectorAll("a[data-reference][aria-current]")) one.removeAttribute("aria-current");
  reference.setAttribute("aria-current", "true");
  openedFrom = reference;
});

function closeSource() {
  const panel = document.getElementById("source-panel");
  if (!panel?.classList.contains("is-open")) return;
  panel.classList.remove("is-open");
  openedFrom?.removeAttribute("aria-current");
  openedFrom?.focus();
}

onArrival("[data-close-source]", (button) => {
  button.hidden = false;
  button.addEventListener("click", closeSource);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.closest?.("#source-panel")) closeSource();
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
