/* Dialogs are popovers without scripts. With them they are modal: what is behind can't be reached, Escape closes, and
   the focus goes back to the button that opened. */
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[popovertarget]");
  const dialog = button && document.getElementById(button.getAttribute("popovertarget"));
  if (dialog?.tagName !== "DIALOG") return;
  event.preventDefault();
  if (dialog.open) dialog.close();
  else if (button.getAttribute("popovertargetaction") !== "hide") dialog.showModal();
});
document.addEventListener("click", (event) => {
  const dialog = event.target.tagName === "DIALOG" && event.target.matches(".confirm[open]") ? event.target : null;
  if (!dialog) return;
  const box = dialog.getBoundingClientRect();
  const isInside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
  if (!isInside && event.detail) dialog.close();
});

/* A menu that unfolds closes by Escape and by a click elsewhere. */
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details[data-closes][open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target.closest?.("details[data-closes][open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
