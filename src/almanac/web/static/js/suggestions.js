/* Values that begin with what is typed, offered by the browser's own list; the field works without them. */
onArrival("input[data-suggest]", (field) => {
  const list = document.createElement("datalist");
  list.id = `${field.id}-suggestions`;
  field.after(list);
  field.setAttribute("list", list.id);
  let latest = "";
  field.addEventListener("input", async () => {
    const typed = field.value.trim();
    latest = typed;
    if (!typed) return;
    const address = new URL(field.dataset.suggest, location);
    address.searchParams.set("q", typed);
    const answer = await fetch(address).catch(() => null);
    if (!answer?.ok || latest !== typed) return;
    list.replaceChildren(...(await answer.json()).map(({ value }) => new Option(value, value)));
  });
});
