/* The browser's time zone, offered while nobody has chosen one; the list works without it. */
onArrival("select[data-guess-zone]", (field) => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (![...field.options].some((option) => option.value === zone)) return;
  field.value = zone;
  const note = document.querySelector("[data-zone-guessed]");
  if (note) note.hidden = false;
});
