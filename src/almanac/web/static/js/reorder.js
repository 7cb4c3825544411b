/* Lists that people put in order: by Alt and the arrow keys, which press the move buttons, or by dragging a handle.
   A piece carries data-arrange with its kind, data-id, and where it is an item data-section. */
document.addEventListener("keydown", (event) => {
  if (!event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
  const piece = event.target.closest("[data-arrange]");
  const button = piece?.querySelector(`:scope > * [data-move="${event.key === "ArrowUp" ? "up" : "down"}"]`);
  if (!button || event.target.closest("textarea")) return;
  event.preventDefault();
  button.focus();
  button.click();
});

let dragged = null;

function placeBeside(piece, event) {
  const box = piece.getBoundingClientRect();
  return event.clientY > box.top + box.height / 2 ? "after" : "before";
}

function clearMarks() {
  for (const piece of document.querySelectorAll("[data-drop]")) delete piece.dataset.drop;
}

/* Where the dragged piece would come to stand among the others. */
function positionOf(piece, place) {
  const others = [...piece.parentElement.children].filter((one) => one.dataset.arrange && one !== dragged);
  return others.indexOf(piece) + (place === "after" ? 1 : 0);
}

function drop(section, position) {
  const form = document.getElementById("move-form");
  const isItem = dragged.dataset.arrange === "item";
  form.elements.item_id.value = isItem ? dragged.dataset.id : "";
  form.elements.section_id.value = isItem ? section : dragged.dataset.id;
  form.elements.position.value = String(position);
  form.requestSubmit();
}

onArrival("[data-arrange]", (piece) => {
  const handle = piece.querySelector("[data-handle]");
  if (!handle) return;
  handle.hidden = false;
  handle.addEventListener("pointerdown", () => { piece.draggable = true; });
  piece.addEventListener("dragstart", (event) => {
    if (event.target !== piece) return;
    event.stopPropagation();
    dragged = piece;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", piece.dataset.id);
  });
  piece.addEventListener("dragend", () => {
    piece.draggable = false;
    dragged = null;
    clearMarks();
  });
  piece.addEventListener("dragover", (event) => {
    if (!dragged || dragged === piece || dragged.dataset.arrange !== piece.dataset.arrange) return;
    event.preventDefault();
    event.stopPropagation();
    clearMarks();
    piece.dataset.drop = placeBeside(piece, event);
  });
  piece.addEventListener("drop", (event) => {
    if (!dragged || dragged === piece || dragged.dataset.arrange !== piece.dataset.arrange) return;
    event.preventDefault();
    event.stopPropagation();
    drop(piece.dataset.section, positionOf(piece, placeBeside(piece, event)));
  });
});

/* A section without items takes one, too. */
onArrival("[data-takes-items]", (list) => {
  list.addEventListener("dragover", (event) => {
    if (dragged?.dataset.arrange === "item") event.preventDefault();
  });
  list.addEventListener("drop", (event) => {
    if (dragged?.dataset.arrange !== "item") return;
    event.preventDefault();
    drop(list.dataset.takesItems, list.querySelectorAll("[data-arrange=item]").length);
  });
});
