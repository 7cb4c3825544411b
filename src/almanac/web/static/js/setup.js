/* The browser's time zone, offered while nobody has chosen one. Without it, or from a browser that hides it as UTC, the
   machine's is offered. */
onArrival("select[data-guess-zone]", (field) => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone === "UTC" || ![...field.options].some((option) => option.value === zone)) return;
  field.value = zone;
  const note = document.querySelector("[data-zone-guessed]");
  if (note) note.hidden = false;
});
