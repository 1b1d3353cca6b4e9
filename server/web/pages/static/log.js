// The log and the board point at each other: a line lights its units, a unit that is chosen lights its lines. The log is
// a part that scrolls by itself, at its end where the newest stands.
import { tokensOf, unitOf } from "./targets.js";

const NEAR_PX = 40; // so near to its end a log follows what is new

const story = document.getElementById("story");
let unit = ""; // whose lines are lit
/** @type {any} */
let shownLine = null; // the one of the replay
let isAtEnd = true;

export function start() {
  if (!story) return;
  for (const [come, go] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
    story.addEventListener(come, (/** @type {any} */ event) => light(event.target.closest("[data-of]")));
    story.addEventListener(go, () => light(null));
  }
  const board = document.querySelector(".board-part");
  board?.addEventListener("click", (/** @type {any} */ event) => choose(event.target.closest("[data-unit]")));
  board?.addEventListener("keyup", (/** @type {any} */ event) => {
    if (event.key === "Enter" || event.key === " ") choose(document.querySelector("#board .chosen") ?? event.target.closest("[data-unit]"));
    if (event.key === "Escape") choose(null);
  });
  story.addEventListener("scroll", () => { isAtEnd = story.scrollHeight - story.scrollTop - story.clientHeight < NEAR_PX; });
  new MutationObserver(follow).observe(story, { subtree: true, childList: true, attributeFilter: ["class"] });
  toEnd();
}

function toEnd() {
  story.scrollTop = story.scrollHeight;
}

// --- from the log to the board

/** @type {(line: any) => void} */
function light(line) {
  for (const token of document.querySelectorAll("#board .named")) token.classList.remove("named");
  for (const name of line?.dataset.of.split(" ") ?? []) for (const token of tokensOf(name)) token.classList.add("named");
}

// --- from the board to the log

/** @type {(token: any) => void} */
function choose(token) {
  unit = token ? unitOf(token) : "";
  mark();
  const newest = [...story.querySelectorAll(".about")].at(-1);
  if (newest) show(newest);
}

function mark() {
  for (const line of story.querySelectorAll("[data-of]")) {
    const isAbout = !!unit && line.dataset.of.split(" ").includes(unit);
    if (line.classList.contains("about") !== isAbout) line.classList.toggle("about", isAbout);
  }
}

// Bring a line to where it is seen, in the log alone: the page does not scroll.
/** @type {(line: any) => void} */
function show(line) {
  const lie = line.getBoundingClientRect(), box = story.getBoundingClientRect();
  if (lie.top < box.top || lie.bottom > box.bottom) story.scrollTop += lie.top - box.top - (box.height - lie.height) / 2;
}

/** @type {(changes: any[]) => void} */
function follow(changes) {
  mark();
  if (isAtEnd && changes.some((change) => change.addedNodes.length)) toEnd();
  const line = story.querySelector(".shown");
  if (line && line !== shownLine) show(line);
  shownLine = line;
}
