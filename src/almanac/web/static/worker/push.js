/* The service worker, second part: notifications. What they say is written by the server, in the person's language. */

self.addEventListener("push", (event) => {
  const notice = event.data.json();
  event.waitUntil(Promise.all([
    self.registration.showNotification(notice.title, {
      body: notice.body,
      /* A newer notification of the same kind takes the place of the older one. */
      tag: notice.tag,
      icon: ICON,
      badge: BADGE,
      lang: notice.language,
      timestamp: notice.at * 1000,
      data: { path: notice.path },
    }),
    typeof notice.waiting === "number" ? self.navigator.setAppBadge?.(notice.waiting) : null,
  ]));
});

/* Goes to the window that shows the page already, else opens one: a page in use is never replaced. */
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const target = new URL(event.notification.data?.path || "/", location.origin);
  event.waitUntil((async () => {
    const windows = await self.clients.matchAll({ type: "window" });
    const open = windows.find((client) => client.url === target.href);
    return open ? open.focus() : self.clients.openWindow(target.href);
  })());
});
