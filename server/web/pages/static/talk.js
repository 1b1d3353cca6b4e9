// The messages of the players, or of the spectators, beside the board: sent without leaving the page, shown as they come, marked as read
// once they were in view.
import { showLocal } from "./times.js";
import { say } from "./words.js";

const ROOT = new URL("..", import.meta.url).pathname; // this script is in `static/` of the server
const PARTS = ["talk-new", "talk-said", "talk-unread"];

let inView = false;

export function start() {
  const talk = document.getElementById("talk");
  if (!talk) return;
  new IntersectionObserver((/** @type {any[]} */ seen) => { inView = seen.at(-1).isIntersecting; markRead(); }).observe(talk);
  talk.addEventListener("toggle", () => { toNewest(); markRead(); });
  talk.addEventListener("submit", onSubmit);
  talk.addEventListener("keydown", onKey);
  document.addEventListener("visibilitychange", markRead);
  document.getElementById("battle").addEventListener("click", onClick);
  if (location.hash === "#talk") talk.open = true;
}

// Something was said: show it, wherever in the battle the page looks.
export async function heard() {
  const talk = document.getElementById("talk");
  if (!talk) return;
  const { id, side } = document.getElementById("battle").dataset;
  const part = talk.dataset.of === "spectators" ? "/spectators?part" : `?side=${side}`; // spectators are many
  const answer = await fetch(`${ROOT}battles/${id}${part}`, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
  take(new DOMParser().parseFromString(await answer.text(), "text/html"));
  document.getElementById("battle").dispatchEvent(new Event("renewed"));
}

// The messages of a newer page.
/** @type {(fresh: any) => void} */
export function take(fresh) {
  if (!fresh.getElementById("talk") || !document.getElementById("talk")) return;
  showLocal(fresh);
  const said = document.getElementById("talk-said"), before = said.textContent, hadFocus = said.contains(document.activeElement);
  for (const id of PARTS) {
    const old = document.getElementById(id), next = fresh.getElementById(id);
    if (old && next && old.outerHTML !== next.outerHTML) old.replaceWith(next);
  }
  if (hadFocus) document.getElementById("talk-said").focus({ preventScroll: true });
  document.title = titled(unread());
  if (document.getElementById("talk-said").textContent !== before) toNewest();
  markRead();
}

function unread() {
  return Number(document.getElementById("talk-new").dataset.unread);
}

// The title of the page with the number of new messages before it.
/** @type {(count: number) => string} */
function titled(count) {
  const plain = document.title.replace(/^\(\d+\) /, "");
  return count ? `(${count}) ${plain}` : plain;
}

function toNewest() {
  const said = document.getElementById("talk-said");
  said.scrollTop = said.scrollHeight;
}

async function markRead() {
  const talk = document.getElementById("talk");
  if (!talk.open || !inView || document.visibilityState !== "visible" || !unread()) return;
  document.getElementById("talk-new").dataset.unread = 0;
  const body = new URLSearchParams({ seen: document.getElementById("talk-said").dataset.heard });
  const answer = await fetch(`${ROOT}battles/${talk.dataset.battle}/${talk.dataset.of}/read`, { method: "POST", body }).catch(() => null);
  if (!answer?.ok) return;
  for (const id of ["talk-new", "talk-unread"]) document.getElementById(id).replaceChildren();
  document.title = titled(0);
}

/** @type {(event: any) => void} */
function onClick(event) {
  if (!event.target.closest("#talk-unread a")) return;
  event.preventDefault();
  const talk = document.getElementById("talk");
  talk.open = true;
  talk.scrollIntoView({ block: "nearest" });
  (document.getElementById("talk-words") ?? talk.querySelector("summary")).focus({ preventScroll: true });
}

/** @type {(event: any) => void} */
function onKey(event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.id === "talk-words") event.target.form.requestSubmit();
}

/** @type {(event: any) => Promise<void>} */
async function onSubmit(event) {
  const form = event.target, words = document.getElementById("talk-words"), told = document.getElementById("talk-told");
  event.preventDefault();
  event.stopPropagation();
  if (!words.value.trim() || form.dataset.sending) return;
  form.dataset.sending = "yes";
  const sent = words.value, body = new URLSearchParams(new FormData(form));
  const answer = await fetch(form.action, { method: "POST", body }).catch(() => null);
  delete form.dataset.sending;
  if (!answer) {
    told.textContent = say("unreachable"); // the key stays: sent again it is said once
    return;
  }
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!answer.ok) {
    told.textContent = fresh.querySelector(".notice, main")?.textContent.trim() ?? say("unreachable");
    return;
  }
  told.textContent = "";
  if (words.value === sent) words.value = ""; // what was typed meanwhile stays
  document.getElementById("talk-key").value = fresh.getElementById("talk-key").value;
  take(fresh);
}
