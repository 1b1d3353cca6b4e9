// Calls a player who looks elsewhere: it is their turn, a question waits for them, or a message has come. The browser of
// the player shows it, while a page is open; nothing goes through anybody else, and it says no more than the page does.
import { keep, kept } from "./keeping.js";

const ROOT = new URL("..", import.meta.url).pathname; // this script is in `static/` of the server
const WANTED = "phalera:calls";
const EVERY_MS = 60_000; // the list of battles is looked at this often while nobody sees it

/** @typedef {{ title: string, waits: Map<string, string> }} Calling a battle, and each thing that waits there with the words for it */

const button = document.getElementById("calls");
const battle = document.getElementById("battle");
let known = found(document);

show();
if (battle) battle.addEventListener("renewed", () => follow(document));
else setInterval(look, EVERY_MS);

// Turn the calls on or off. The browser asks its reader the first time.
export async function toggle() {
  const asked = isOn() || !window.Notification ? "" : await Notification.requestPermission();
  keep(WANTED, asked === "granted" ? "on" : "");
  const isBlocked = asked !== "granted" && button.getAttribute("aria-pressed") === "false";
  document.getElementById("called").textContent = isBlocked ? button.dataset.blocked : isOn() ? button.dataset.on : "";
  show();
}

function isOn() {
  return kept(WANTED) === "on" && window.Notification?.permission === "granted";
}

function show() {
  button.setAttribute("aria-pressed", String(isOn()));
}

// --- what waits for the player

// By battle: its title, and each thing that waits there with the words for it.
/** @type {(page: any) => Map<string, Calling>} */
function found(page) {
  if (battle) return new Map([[battle.dataset.id, { title: page.querySelector("h1").textContent, waits: waitsIn(page) }]]);
  /** @type {Map<string, Calling>} */
  const rows = new Map();
  for (const row of page.querySelectorAll("#mine-list li")) {
    const link = row.querySelector("a"), words = row.querySelector(".words"), said = words.querySelector("mark")?.textContent ?? "";
    /** @type {Map<string, string>} */
    const waits = new Map();
    if (row.matches(".urgent")) waits.set("turn", words.firstChild.textContent.trim());
    if (said) waits.set(said, said);
    rows.set(link.pathname.split("/").at(-1), { title: link.textContent, waits });
  }
  return rows;
}

/** @type {(page: any) => Map<string, string>} */
function waitsIn(page) {
  /** @type {Map<string, string>} */
  const waits = new Map();
  const status = page.getElementById("status"), unread = Number(page.getElementById("talk-new")?.dataset.unread ?? 0);
  if ("asks" in status.dataset) waits.set(`question ${battle.dataset.n}`, button.dataset.question);
  else if (status.matches(".yours")) waits.set(`turn ${battle.dataset.t}`, button.dataset.turn);
  if (unread) waits.set(`said ${unread}`, button.dataset.said);
  return waits;
}

/** @type {(page: any) => void} */
function follow(page) {
  const now = found(page), before = known;
  known = now;
  if (document.visibilityState === "visible" || !isOn()) return;
  for (const [id, { title, waits }] of now) {
    const fresh = [...waits].filter(([what]) => !before.get(id)?.waits.has(what)).map(([, words]) => words);
    if (fresh.length) call(id, title, fresh.join(" ")).catch(() => {}); // some browsers only show what their worker shows
  }
}

async function look() {
  if (document.visibilityState === "visible" || !isOn()) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html"), list = fresh.getElementById("mine-list");
  follow(fresh);
  if (!list) return;
  document.getElementById("mine-list").replaceWith(document.adoptNode(list));
  document.title = fresh.title;
}

// --- the call

/** @type {(id: string, title: string, body: string) => Promise<void>} */
async function call(id, title, body) {
  const here = location.pathname, told = { body, tag: id, renotify: true, icon: `${ROOT}static/icon-192.png`, data: { here } };
  const worker = await navigator.serviceWorker?.getRegistration(ROOT);
  if (worker?.active) {
    await worker.showNotification(title, told);
    return;
  }
  const shown = new Notification(title, told);
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}
