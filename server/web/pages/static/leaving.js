// The pages on which a player logs out or removes their account: what would be lost in this browser is told before, and what
// belongs to the account goes with it (forgetting.js).

import { forget, leftBy } from "./forgetting.js";

const LEFT = "phalera-left"; // other pages of this browser hear of it
const REMOVING = "phalera:removing"; // of this tab: the account that the server is asked to remove

const part = document.getElementById("left-here");
if (part) show(part).catch(() => undefined);
document.querySelector("form[data-removes]")?.addEventListener("submit", () => sessionStorage.setItem(REMOVING, playerHere()));
if (document.getElementById("account-removed")) removed().catch(() => undefined);

/** @type {(part: any) => Promise<void>} */
async function show(part) {
  const { faults, isStuck } = await leftBy(playerHere(), isPasskeyGood()), list = part.querySelector("[data-left-faults] span");
  list.textContent = faults.join(", ");
  list.closest("p").hidden = !faults.length;
  for (const one of part.querySelectorAll("[data-left-keys]")) one.hidden = !isStuck || isCarried();
  part.hidden = false;
}

// Log out: forget, then send the form. Where something would be lost the page that says so comes first.
/** @type {(form: any) => Promise<void>} */
export async function leave(form) {
  try {
    const player = playerHere(), { faults, isStuck } = await leftBy(player, isPasskeyGood());
    if (!part && (faults.length || isStuck)) {
      location.assign(form.action);
      return;
    }
    new BroadcastChannel(LEFT).postMessage(player);
    await forget(player, !isStuck || isCarried() || !!part?.querySelector("[name=all]")?.checked);
  } catch {
    // a browser that keeps nothing has nothing to forget
  }
  form.submit();
}

// The server has removed the account, as this page says and nobody contradicts by being logged in.
async function removed() {
  const player = sessionStorage.getItem(REMOVING);
  if (!player || playerHere()) return;
  new BroadcastChannel(LEFT).postMessage(player);
  await forget(player, true);
}

/** @type {() => string} */
function playerHere() {
  return document.querySelector("form.who")?.dataset.player ?? "";
}

// Whether the link on this page has the key of the lockers behind its #.
/** @type {() => boolean} */
function isCarried() {
  return document.getElementById("key-carried")?.hidden === false;
}

/** @type {() => boolean} */
function isPasskeyGood() {
  return !document.querySelector("[name=passkeys]:checked");
}
