// The keyboard keeps its place when parts of the page are replaced by newer ones, and is never below the tray.
/** @typedef {{ focused: any, id: string, words: string, at: number }} FocusPlace which part of the page, and which stop of it */

const STOPS = "a[href], button, input, select, textarea, summary, [tabindex]";

// What has the focus is scrolled to above the tray, however high that is (page.css).
export function start() {
  const tray = document.getElementById("tray"), root = document.documentElement;
  if (tray) new ResizeObserver(() => root.style.setProperty("--tray-height", `${tray.offsetHeight}px`)).observe(tray);
}

// Where the focus is: in which part with an id, and at which stop of that part.
/** @type {() => FocusPlace | null} */
export function placeOfFocus() {
  const focused = document.activeElement, part = focused?.closest("[id]");
  if (!part || focused === document.body) return null;
  return { focused, id: part.id, words: wordsOf(focused), at: stopsOf(part).indexOf(focused) };
}

// Give the focus back if it was lost: to the stop that says the same, else to the one in its place, else where orders are sent.
/** @type {(place: FocusPlace | null) => void} */
export function giveBack(place) {
  if (!place || place.focused.isConnected) return;
  const part = document.getElementById(place.id), stops = part ? stopsOf(part) : [];
  const same = place.at < 0 ? part : stops.find((stop) => wordsOf(stop) === place.words);
  const next = stops[Math.min(place.at, stops.length - 1)];
  for (const stop of [same, next, document.querySelector("#tray [value=send]"), document.getElementById("main")]) {
    stop?.focus({ preventScroll: true });
    if (stop && stop === document.activeElement) return;
  }
}

/** @type {(part: any) => any[]} */
const stopsOf = (part) => [...part.querySelectorAll(STOPS)].filter((stop) => stop.checkVisibility());
/** @type {(part: any) => string} */
const wordsOf = (part) => part.getAttribute("aria-label") ?? part.textContent.trim();
