// Battles that are over, kept on this device: their page, the curve and every moment of the replay, to be read without
// the server. What strangers may read is kept as they read it; nothing of the reader's own goes with it.
import { isKept, KEPT, keyOf, makeRoom, show } from "./kept_battles.js";
import { say } from "./words.js";

const ROOT = new URL("..", import.meta.url).pathname; // this script is in `static/` of the server
const STATIC = "phalera-static";
const MOST_TRIES = 8, PAUSE_S = 15;

const canKeep = "caches" in window && "serviceWorker" in navigator;

export function start() {
  if (!canKeep) return;
  if (matchMedia("(display-mode: standalone)").matches) register().catch(() => {}); // without it the site works as before
  const list = document.getElementById("kept-battles");
  if (list) show(list);
  const part = document.getElementById("keep-offline");
  if (!part) return;
  part.hidden = false;
  isKept(part.dataset.battle).then((is) => { if (is) part.querySelector("[role=status]").textContent = part.dataset.kept; });
  part.querySelector("button").addEventListener("click", () => keepBattle(part));
}

async function register() {
  await navigator.serviceWorker.register(`${ROOT}worker.js`, { scope: ROOT });
  await navigator.serviceWorker.ready;
  const files = performance.getEntriesByType("resource").map((/** @type {any} */ entry) => new URL(entry.name));
  const ours = files.filter((/** @type {any} */ url) => url.origin === location.origin && url.pathname.startsWith(`${ROOT}static/`));
  const cache = await caches.open(STATIC), addresses = [...new Set(ours.map((/** @type {any} */ url) => url.href))];
  for (const address of addresses) await cache.delete(address, { ignoreSearch: true }); // older versions, too
  await cache.addAll(addresses);
}

/** @type {(part: any) => Promise<void>} */
async function keepBattle(part) {
  const { battle: id, last } = part.dataset, told = part.querySelector("[role=status]"), button = part.querySelector("button");
  button.setAttribute("aria-disabled", "true");
  try {
    await register();
    await makeRoom(id);
    const cache = await caches.open(KEPT), base = `${ROOT}battles/${id}`;
    await cache.put(keyOf(id, "curve"), await got(`${base}/curve`));
    for (let n = 1; n <= Number(last); n += 1) {
      if (!(await cache.match(keyOf(id, n)))) await cache.put(keyOf(id, n), await got(`${base}/moment?n=${n}`));
      told.textContent = say("keeping", { n, last });
    }
    await cache.put(keyOf(id, "page"), await got(base)); // last: what has its page is whole
    told.textContent = part.dataset.kept;
  } catch {
    told.textContent = part.dataset.failed;
  }
  button.removeAttribute("aria-disabled");
}

// A part of a battle as a stranger reads it, else as its player; when the server asks for patience it is given.
/** @type {(address: string) => Promise<any>} */
async function got(address) {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    let answer = await fetch(address, { credentials: "omit", headers: { Accept: "text/html, */*" } });
    if (answer.status === 404) answer = await fetch(address, { headers: { Accept: "text/html, */*" } });
    if (answer.ok) return answer;
    if (answer.status !== 429) break;
    const wait_s = Number(answer.headers.get("Retry-After")) || PAUSE_S;
    await new Promise((done) => { setTimeout(done, wait_s * 1000); });
  }
  throw new Error(address);
}
