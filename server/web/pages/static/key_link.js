// The key link carries the key of a player's lockers to their next device, behind its #: that part no browser sends to any
// server. The page with the link puts it there; the page that the link opens takes it.

import { keepKey, keyFor, told } from "./locker_keys.js";
import { fragmentOf, fromFragment } from "./lockers.js";
import { qrCode } from "./qr.js";

const QUIET_MODULES = 4; // around a code

const link = document.getElementById("key-link");
const login = document.getElementById("key-login");
if (link) lengthen(link).catch(() => undefined).then(() => grown(link));
if (login) take(login).catch(() => undefined);

/** @type {(field: any) => Promise<void>} */
async function lengthen(field) {
  const known = await told();
  if (!known) return;
  const key = await keyFor(known);
  if (key) {
    field.value = `${field.value}#${fragmentOf(key, known.player)}`;
    draw(field.value);
  }
  show(key ? "key-carried" : "key-not-carried");
}

// Whoever copies it has waited for this.
/** @type {(field: any) => void} */
function grown(field) {
  delete field.dataset.grows;
  field.dispatchEvent(new Event("grown"));
}

// The link as a code for a phone, in place of the one that the server has drawn of its own half.
/** @type {(text: string) => void} */
function draw(text) {
  const picture = document.querySelector(".scanned .code"), rows = qrCode(text), path = picture?.querySelector("path");
  if (!picture || !path || !rows) return;
  const size = rows.length + 2 * QUIET_MODULES, marks = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}.5h1`] : [])));
  picture.setAttribute("viewBox", `0 0 ${size} ${size}`);
  path.setAttribute("transform", `translate(${QUIET_MODULES} ${QUIET_MODULES})`);
  path.setAttribute("d", marks.join(""));
}

/** @type {(page: HTMLElement) => Promise<void>} */
async function take(page) {
  const carried = fromFragment(location.hash);
  if (!location.hash) return;
  history.replaceState(null, "", location.pathname + location.search); // or it would stay in the history of the browser
  const isWhole = carried && carried.player === (page.dataset.player ?? carried.player); // the form asks nobody's name
  if (isWhole) await keepKey(carried.player, carried.key);
  show(isWhole ? "key-taken" : "key-cut");
}

/** @type {(id: string) => void} */
function show(id) {
  const shown = document.getElementById(id);
  if (shown) shown.hidden = false;
}
