// The board larger: by pinching, by two quick taps, or by buttons. It is then moved by one finger, or by its scroll bars.

const MOST = 4;
const BUTTON = 1.5, TAPS = 2.2; // times larger by one press, and by two taps
const TAP_MS = 300, TAP_PX = 16; // two taps nearer than this are one gesture

const battle = document.getElementById("battle");
let scale = 1;
let at = [0, 0]; // how far the board is moved; a newer board is moved as far
/** @type {{ spread: number, scale: number } | null} */
let pinch = null; // two fingers: their distance and the scale when they came
/** @type {{ x: number, y: number, when: number } | null} */
let tapped = null; // the last tap
let isSwallowed = false; // the click that ends two taps chooses nothing

export function start() {
  const part = document.querySelector(".board-part");
  part.addEventListener("touchstart", onTouch, { passive: true });
  part.addEventListener("touchmove", onPinch, { passive: false });
  part.addEventListener("touchend", () => { pinch = null; });
  part.addEventListener("pointerup", onTap);
  part.addEventListener("click", onClick, true);
  part.addEventListener("scroll", () => { at = [board().scrollLeft, board().scrollTop]; }, true);
  new MutationObserver(follow).observe(part, { childList: true });
}

/** @type {() => any} */
const board = () => document.getElementById("board");

// A new board lies at its corner: only one that is moved asks for the layout at once.
function follow() {
  if (at[0] || at[1]) board().scrollTo(...at);
}

// Show the board at a scale, with the spot under a point of the window where it was.
/** @type {(wanted: number, x: number, y: number) => void} */
function zoom(wanted, x, y) {
  const part = board(), box = part.getBoundingClientRect(), left = x - box.left, top = y - box.top;
  const next = Math.min(MOST, Math.max(1, wanted)), by = next / scale;
  const east = (part.scrollLeft + left) * by - left, south = (part.scrollTop + top) * by - top;
  if (scale === 1) battle.style.setProperty("--board-height", `${box.height}px`);
  scale = next;
  battle.style.setProperty("--zoom", scale);
  battle.classList.toggle("zoomed", scale > 1);
  part.scrollTo(east, south);
  at = [part.scrollLeft, part.scrollTop];
}

// Show the board so many times larger about a point of the window.
/** @type {(by: number, x: number, y: number) => void} */
export function zoomAt(by, x, y) {
  zoom(scale * by, x, y);
}

/** @type {(event: any) => void} */
function onClick(event) {
  if (isSwallowed) {
    isSwallowed = false;
    event.stopPropagation();
    return;
  }
  const by = event.target.closest("[data-zoom]")?.dataset.zoom;
  if (!by) return;
  const box = board().getBoundingClientRect();
  zoom(by === "in" ? scale * BUTTON : scale / BUTTON, box.left + box.width / 2, box.top + box.height / 2);
}

// --- fingers

/** @type {(fingers: any) => number} */
const spread = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);

/** @type {(event: any) => void} */
function onTouch(event) {
  pinch = event.touches.length === 2 && board().contains(event.target) ? { spread: spread(event.touches), scale } : null;
}

/** @type {(event: any) => void} */
function onPinch(event) {
  if (!pinch || event.touches.length !== 2) return;
  event.preventDefault();
  tapped = null;
  const [one, other] = event.touches;
  zoom(pinch.scale * spread(event.touches) / pinch.spread, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
}

/** @type {(event: any) => void} */
function onTap(event) {
  if (event.pointerType !== "touch" || !board().contains(event.target)) return;
  if (battle.classList.contains("several")) return; // each tap there chooses a unit, or lets it go
  const { clientX: x, clientY: y, timeStamp: when } = event;
  const isSecond = tapped && when - tapped.when < TAP_MS && Math.hypot(x - tapped.x, y - tapped.y) < TAP_PX;
  tapped = isSecond ? null : { x, y, when };
  if (!isSecond) return;
  isSwallowed = true;
  setTimeout(() => { isSwallowed = false; }, TAP_MS);
  zoom(scale > 1 ? 1 : TAPS, x, y);
}
