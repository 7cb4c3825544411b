/* A tap is seen at once and corrected by the server's answer: the row that comes back says what really happened. */
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.matches("form[data-optimistic]")) event.target.closest("[data-habit]").classList.add("is-tapped");
});
for (const name of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, (event) => {
    event.target.closest?.("[data-habit]")?.classList.remove("is-tapped");
  });
}
/* The row that was tapped is replaced; whoever works by keyboard goes on from the same row, or from the same button.
   Whoever went on to another row in the meantime stays there. */
let focusedPart = "";
document.addEventListener("htmx:beforeSwap", (event) => {
  const row = event.detail.target?.closest?.("[data-habit]");
  focusedPart = "";
  if (row && document.activeElement === row) focusedPart = "row";
  else if (row?.contains(document.activeElement)) focusedPart = "button";
});
document.addEventListener("htmx:afterSwap", (event) => {
  const row = document.getElementById(event.detail.target?.id)?.closest("[data-habit]");
  if (!row || !focusedPart) return;
  if (focusedPart === "row") row.tabIndex = 0;
  (focusedPart === "row" ? row : row.querySelector(".tap"))?.focus({ preventScroll: true });
  focusedPart = "";
});
/* One menu is open at a time; Escape and a click elsewhere close it. */
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll(".habit-more[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector(".habit-more[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
