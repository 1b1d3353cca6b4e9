// What happened while the player was away: offered once, played in place, skipped at will. The server is told how far its
// reader has watched, as long as the page is in sight.
import { leave, playFrom } from "./replay.js";

const ROOT = new URL("..", import.meta.url).pathname; // this script is in `static/` of the server
const battle = document.getElementById("battle");
let told = 0; // the event up to which the server has been told

const offer = () => document.querySelector("#away form");

export function start() {
  const away = document.getElementById("away");
  if (!away) return;
  told = Number(away.dataset.since);
  battle.addEventListener("click", onClick);
  battle.addEventListener("submit", (/** @type {any} */ event) => {
    if (!event.target.closest("#away")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    settle();
    leave();
  }, true);
  document.addEventListener("visibilitychange", watched);
  watched();
}

/** @type {(event: any) => void} */
function onClick(event) {
  const link = event.target.closest("#away-play");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  tell();
  link.remove();
  document.getElementById("away-skip").focus({ preventScroll: true });
  playFrom(Number(new URL(link.href).searchParams.get("n")), () => { settle(); leave(); });
}

// What a newer page offers counts only for whoever has not seen it come.
/** @type {(fresh: any) => void} */
export function take(fresh) {
  const old = document.getElementById("away"), next = fresh.getElementById("away");
  if (!old || !next) return;
  if (offer() || document.visibilityState !== "visible") old.replaceWith(next);
  else watched();
}

function watched() {
  if (document.getElementById("away") && !offer() && document.visibilityState === "visible") tell();
}

// All has been shown, or is not wanted.
function settle() {
  tell();
  document.getElementById("away").replaceChildren();
}

function tell() {
  const { id, n } = battle.dataset;
  if (Number(n) <= told) return;
  told = Number(n);
  fetch(`${ROOT}battles/${id}/watched`, { method: "POST", body: new URLSearchParams({ n }), keepalive: true }).catch(() => { told = 0; });
}
