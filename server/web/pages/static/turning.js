// Turns the board where it is: the server is told, and keeps it for this browser.
import { prepare } from "./board.js";
import { forgetMoments } from "./replay.js";

const battle = document.getElementById("battle");

export function start() {
  battle.addEventListener("click", onClick);
}

/** @type {(event: any) => Promise<void>} */
async function onClick(event) {
  const link = event.target.closest(".turn-board");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const answer = await fetch(link.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) {
    location.assign(link.href);
    return;
  }
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html"), here = new URL(location.href);
  here.searchParams.delete("turned");
  history.replaceState(history.state, "", here);
  for (const id of ["board", "steps"]) document.getElementById(id).replaceWith(fresh.getElementById(id));
  forgetMoments();
  prepare();
  document.querySelector(".turn-board").focus({ preventScroll: true });
}
