/* The service worker, first part: the shell. It keeps style sheets, scripts, icons and the offline page, and nothing
   else: no page of a person, no answer of the API.

   The server joins the files of this folder, in the order of WORKER_SCRIPTS, and puts the version and the addresses in
   front (VERSION, ASSETS, OFFLINE). Work without a connection, such as ticking a habit, gets a file of its own here. */
"use strict";

const CACHE = `almanac-${VERSION}`;
const isAsset = (url) => url.origin === location.origin && url.pathname.startsWith("/static/");
/* What anybody may read is a site of its own, without an offline page. */
const isPublic = (url) => /^\/public(\/|$)/.test(url.pathname);

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(ASSETS);
    /* Without cookies, so that what is kept is nobody's page. */
    await cache.add(new Request(OFFLINE, { cache: "reload", credentials: "omit" }));
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  })());
});

async function getAsset(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  return kept || fetch(request);
}

/* A form that couldn't be sent leads to the address of the offline page, so that going back returns to the form. */
async function getPage(event) {
  try {
    return await (await event.preloadResponse || fetch(event.request));
  } catch (error) {
    if (event.request.method !== "GET") return Response.redirect(OFFLINE, 303);
    const page = await caches.match(OFFLINE, { ignoreSearch: true });
    if (!page) throw error;
    return page;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method === "GET" && isAsset(url)) event.respondWith(getAsset(request));
  else if (request.mode === "navigate" && !isPublic(url)) event.respondWith(getPage(event));
});

self.addEventListener("message", (event) => {
  if (event.data === "take-over") self.skipWaiting();
});
