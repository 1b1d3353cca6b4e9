// The service worker: it answers from what this device keeps when the server cannot be reached. It is registered once
// somebody keeps a battle here, or has installed the site; until then nothing stands between page and server.

const ROOT = new URL("./", self.location.href).pathname; // it is served beside the entrance page
const STATIC = "phalera-static", KEPT = "phalera-kept";

self.addEventListener("install", (/** @type {any} */ event) => {
  const page = new Request(`${ROOT}offline`, { credentials: "omit" }); // with nobody's name on it
  event.waitUntil(caches.open(STATIC).then((/** @type {any} */ cache) => cache.add(page)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (/** @type {any} */ event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin || !url.pathname.startsWith(ROOT)) return;
  if (url.pathname.startsWith(`${ROOT}static/`)) event.respondWith(fixed(event.request));
  else if (event.request.mode === "navigate" || keyOf(url)) event.respondWith(newest(event.request, url));
});

// A call (calls.js) leads to the page that gave it.
self.addEventListener("notificationclick", (/** @type {any} */ event) => {
  const { here } = event.notification.data;
  event.notification.close();
  event.waitUntil(self.clients.matchAll({ type: "window" }).then((/** @type {any} */ pages) => {
    const page = pages.find((/** @type {any} */ { url }) => new URL(url).pathname === here);
    return page ? page.focus() : self.clients.openWindow(here);
  }));
});

// A static file: its address changes with its content, so what is here is right. One version of each file is kept; a
// battle that was kept with an older one is shown with that.
/** @type {(request: any) => Promise<any>} */
async function fixed(request) {
  const cache = await caches.open(STATIC), known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request).catch(() => null);
  if (!answer) return (await cache.match(request, { ignoreSearch: true })) ?? Response.error();
  if (answer.ok) {
    await cache.delete(request, { ignoreSearch: true });
    await cache.put(request, answer.clone());
  }
  return answer;
}

// The server's answer; without it what is kept, or the page that says so.
/** @type {(request: any, url: any) => Promise<any>} */
async function newest(request, url) {
  try {
    return await fetch(request);
  } catch (failure) {
    const key = keyOf(url), kept = key && (await (await caches.open(KEPT)).match(key));
    if (kept) return kept;
    const page = request.mode === "navigate" && (await (await caches.open(STATIC)).match(`${ROOT}offline`));
    if (page) return page;
    throw failure;
  }
}

// Under which address a part of a battle is kept (offline.js keeps it there); "" for everything else.
/** @type {(url: any) => string} */
function keyOf(url) {
  const [, id, part] = url.pathname.slice(ROOT.length - 1).match(/^\/battles\/([a-z0-9]+)(?:\/(moment|curve))?$/) ?? [];
  if (!id) return "";
  return `${ROOT}kept/${id}/${part === "moment" ? url.searchParams.get("n") : part ?? "page"}`;
}
