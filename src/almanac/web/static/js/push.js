/* Push messages in this browser: turned on and off on the account's page, and kept on over a new sign-in of the same
   person. Which person that is stands in this browser's storage, which signing out clears. */
const PUSH_OWNER = "almanac-push";
const canPush = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

function keyBytes(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

async function postSubscription(subscription) {
  const headers = { "Content-Type": "application/json", ...JSON.parse(document.body.getAttribute("hx-headers")) };
  const body = JSON.stringify(subscription);
  const answer = await fetch("/account/notifications/devices", { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
}

/* A subscription made with another key of the server is of no use: it is made anew. */
async function subscribe(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const wanted = { userVisibleOnly: true, applicationServerKey: keyBytes(key) };
  try {
    return await pushManager.subscribe(wanted);
  } catch (error) {
    if (error.name !== "InvalidStateError") throw error;
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(wanted);
  }
}

onArrival("[data-push]", async (section) => {
  const part = (name) => section.querySelector(`[data-push-${name}]`);
  part("missing").hidden = canPush;
  if (!canPush) return;
  part("denied").hidden = Notification.permission !== "denied";
  part("on").hidden = Notification.permission === "denied" || Boolean(part("off"));
  part("on").addEventListener("click", async () => {
    part("failed").hidden = true;
    try {
      if (await Notification.requestPermission() !== "granted") {
        part("denied").hidden = false;
        return;
      }
      await postSubscription(await subscribe(section.dataset.key));
      localStorage.setItem(PUSH_OWNER, section.dataset.user);
      location.reload();
    } catch {
      part("failed").hidden = false;
    }
  });
  part("off")?.addEventListener("submit", async () => {
    localStorage.removeItem(PUSH_OWNER);
    const registration = await navigator.serviceWorker.getRegistration();
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  });
});

/* A new sign-in is a new session, which the subscription must be tied to. */
document.addEventListener("DOMContentLoaded", async () => {
  const user = document.body.dataset.user;
  if (!canPush || !user || localStorage.getItem(PUSH_OWNER) !== user || sessionStorage.getItem(PUSH_OWNER)) return;
  sessionStorage.setItem(PUSH_OWNER, "sent");
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  if (subscription) postSubscription(subscription).catch(() => sessionStorage.removeItem(PUSH_OWNER));
});
