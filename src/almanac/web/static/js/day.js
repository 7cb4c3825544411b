/* The page of a day: the arrow keys turn the days, where nothing on the page uses them itself. */
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || MODIFIED(event) || event.shiftKey || isCovered() || !keysAreOn()) return;
  if (event.target.closest(ARROW_USERS) || typing(event.target)) return;
  const link = document.querySelector(`[data-turn="${CSS.escape(event.key)}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});
