/* A tap is seen at once and corrected by the server's answer: the row that comes back says what really happened. */
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.matches("form[data-optimistic]")) event.target.closest("[data-habit]").classList.add("is-tapped");
});
for (const name of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, (event) => {
    event.target.closest?.("[data-habit]")?.classList.remove("is-tapped");
  });
}
/* The row that was tapped is replaced; whoever tapped by keyboard goes on from the same button. */
document.addEventListener("htmx:afterSwap", (event) => {
  const row = event.target.closest?.("[data-habit]") ?? document.getElementById(event.detail.target?.id);
  row?.querySelector(".tap")?.focus({ preventScroll: true });
});
