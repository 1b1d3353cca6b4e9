// Which battles this device keeps for reading without the server: the newest few, listed, forgotten one by one.
export const KEPT = "phalera-kept";
const MOST_KEPT = 10;

const ROOT = new URL("..", import.meta.url).pathname; // this script is in `static/` of the server
/** @type {(request: any) => string} */
const idOf = (request) => new URL(request.url).pathname.match(/\/kept\/([a-z0-9]+)\//)?.[1] ?? "";

// Where a part of a battle is kept: its page, the curve, or the moment after an event (worker.js reads it there).
/** @type {(id: string, part: string | number) => string} */
export const keyOf = (id, part) => `${ROOT}kept/${id}/${part}`;

/** @type {(id: string) => Promise<boolean>} */
export async function isKept(id) {
  return Boolean(await (await caches.open(KEPT)).match(keyOf(id, "page")));
}

// Forget a battle, all parts of it.
/** @type {(id: string) => Promise<void>} */
export async function forget(id) {
  const cache = await caches.open(KEPT);
  for (const request of await cache.keys()) if (idOf(request) === id) await cache.delete(request);
}

// Forget the oldest, so that there is room for one more battle than are left, whole or not.
/** @type {(id: string) => Promise<void>} */
export async function makeRoom(id) {
  const cache = await caches.open(KEPT), others = new Set((await cache.keys()).map(idOf)); // in the order in which they were kept
  others.delete(id);
  for (const old of [...others].slice(0, Math.max(0, others.size - MOST_KEPT + 1))) await forget(old);
}

// List the battles, each with a button that forgets it.
/** @type {(list: any) => Promise<void>} */
export async function show(list) {
  const cache = await caches.open(KEPT);
  for (const request of await cache.keys()) {
    const id = idOf(request);
    if (!request.url.endsWith("/page")) continue;
    const page = new DOMParser().parseFromString(await (await cache.match(request)).text(), "text/html");
    list.append(entry(list, id, page.querySelector("h1")?.textContent ?? id));
  }
  tellNone(list);
}

/** @type {(list: any, id: string, title: string) => any} */
function entry(list, id, title) {
  const item = document.createElement("li"), link = document.createElement("a"), button = document.createElement("button");
  link.href = `${ROOT}battles/${id}`;
  link.textContent = title;
  button.type = "button";
  button.textContent = list.dataset.forget;
  button.setAttribute("aria-label", `${list.dataset.forget}: ${title}`);
  button.addEventListener("click", async () => {
    await forget(id);
    item.remove();
    tellNone(list);
    (list.querySelector("button") ?? document.getElementById("kept-title")).focus();
  });
  item.append(link, " ", button);
  return item;
}

/** @type {(list: any) => void} */
function tellNone(list) {
  document.getElementById("kept-none").hidden = list.children.length > 0;
}
