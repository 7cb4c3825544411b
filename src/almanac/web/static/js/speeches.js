/* A reference to a speech opens its original words and moves there; without this the link alone moves there. */
function openSpeech() {
  const speech = location.hash.startsWith("#speech-") && document.getElementById(location.hash.slice(1));
  if (!speech) return;
  const original = speech.querySelector("details.original");
  if (original) original.open = true;
  speech.scrollIntoView({ block: "start" });
}
window.addEventListener("hashchange", openSpeech);
document.addEventListener("DOMContentLoaded", openSpeech);
document.addEventListener("click", (event) => {
  const reference = event.target.closest("a[data-speech]");
  if (!reference) return;
  reference.closest("[popover]")?.hidePopover();
  if (reference.hash === location.hash) openSpeech();
  if (!reference.hash || document.getElementById(reference.hash.slice(1))) return;
  /* A filter has taken the speech off the page since the reference was made. */
  event.preventDefault();
  location.assign(`${location.pathname}/speeches/${reference.dataset.speech}`);
});
