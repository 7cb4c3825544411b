/* The browser's time zone, offered while nobody has chosen one. Without it, or from a browser that hides it as UTC, the
   machine's is offered. */
onArrival("input[data-guess-zone]", (field) => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const option = [...field.list.options].find((each) => each.dataset.zone === zone);
  if (zone === "UTC" || !option) return;
  field.value = option.value;
  const note = document.querySelector("[data-zone-guessed]");
  if (note) note.hidden = false;
});
