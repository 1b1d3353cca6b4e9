// The player's own note about a battle, kept while it is written.

const KEEP_MS = 900; // what is written is kept when the player pauses this long
const AGAIN_MS = 10000; // and tried again this much later where the server was not reached

/** @type {any} */
let later; // the timer of the next keeping
let isKeeping = false;

export function start() {
  const field = document.getElementById("note");
  field.addEventListener("input", () => { wait(KEEP_MS); });
  if (field.value !== field.defaultValue) wait(KEEP_MS); // it was written before this script came
  addEventListener("pagehide", () => { if (later) keepNow(); });
}

/** @type {(ms: number) => void} */
function wait(ms) {
  clearTimeout(later);
  later = setTimeout(keepNow, ms);
}

async function keepNow() {
  clearTimeout(later);
  later = undefined;
  const field = document.getElementById("note"), form = field.form, was = form.elements.was, told = document.getElementById("note-told");
  if (isKeeping) return wait(KEEP_MS);
  isKeeping = true;
  const sent = field.value, body = new URLSearchParams({ note: sent, was: was.value });
  const answer = await fetch(form.action, { method: "POST", body, keepalive: true }).catch(() => null);
  isKeeping = false;
  if (!answer?.ok) {
    told.textContent = told.dataset.lost;
    return wait(AGAIN_MS);
  }
  const kept = (await answer.json()).text;
  was.value = kept;
  if (kept !== sent) field.value = field.value === sent ? kept : `${kept}\n${field.value}`; // it was changed on another device
  told.textContent = told.dataset.kept;
}
