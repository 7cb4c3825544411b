/* Passkeys: a form asks the server what to ask the authenticator, and sends its answer as a form does. */
const fromBase64 = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
const toBase64 = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

function readPasskeyOptions(options) {
  const credentials = (list) => (list || []).map((item) => ({ ...item, id: fromBase64(item.id) }));
  const read = { ...options, challenge: fromBase64(options.challenge) };
  if (options.user) read.user = { ...options.user, id: fromBase64(options.user.id) };
  if (options.excludeCredentials) read.excludeCredentials = credentials(options.excludeCredentials);
  if (options.allowCredentials) read.allowCredentials = credentials(options.allowCredentials);
  return read;
}

function writePasskey(credential) {
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (credential.response[name]) response[name] = toBase64(credential.response[name]);
  }
  return JSON.stringify({
    id: credential.id,
    rawId: toBase64(credential.rawId),
    type: credential.type,
    clientExtensionResults: credential.getClientExtensionResults(),
    response,
  });
}

const passkeyProblem = (error) =>
  ({
    NotAllowedError: texts().passkeyUnused,
    InvalidStateError: texts().passkeyExists,
    SecurityError: texts().passkeyAddress,
  })[error.name] || error.message;

async function usePasskey(form) {
  const csrf = form.querySelector('input[name="csrf_token"]')?.value;
  const headers = { Accept: "application/json", ...(csrf ? { "X-CSRF-Token": csrf } : {}) };
  const answer = await fetch(form.dataset.begin, { method: "POST", headers });
  const begun = await answer.json();
  if (begun.code === "proof_needed") {
    location.assign(`/account/confirm?next=${encodeURIComponent(location.pathname)}`);
    return;
  }
  if (!answer.ok) throw new Error(begun.detail);
  const publicKey = readPasskeyOptions(begun.options);
  const way = form.dataset.passkey === "create" ? "create" : "get";
  form.elements.credential.value = writePasskey(await navigator.credentials[way]({ publicKey }));
  form.elements.ceremony.value = begun.ceremony;
  form.submit();
}

onArrival("form[data-passkey]", (form) => {
  if (!window.PublicKeyCredential) {
    const missing = form.querySelector("[data-passkey-missing]");
    if (missing) missing.hidden = false;
    return;
  }
  for (const part of form.querySelectorAll("[data-passkey-part]")) part.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const problem = form.querySelector("[data-passkey-problem]");
    problem.textContent = "";
    try {
      await usePasskey(form);
    } catch (error) {
      problem.textContent = passkeyProblem(error);
    } finally {
      delete form.dataset.sent;
    }
  });
});
