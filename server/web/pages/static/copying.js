// Buttons that copy what a field shows, or hand it to the share menu of the device; where a browser can do neither, the
// field stays alone.

const PATIENCE_MS = 4000; // for a part of a link that a script adds

export function start() {
  const { classList } = document.documentElement;
  if (navigator.clipboard) classList.add("can-copy");
  if (navigator.share) classList.add("can-share");
  document.addEventListener("click", onClick);
}

/** @type {(event: any) => Promise<void>} */
async function onClick(event) {
  const button = event.target.closest("button[data-copy], button[data-share]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy ?? button.dataset.share);
  await whole(field);
  if (button.dataset.share) {
    await navigator.share({ title: document.title, url: field.value }).catch(() => {}); // the menu was closed
    return;
  }
  const told = button.parentElement.querySelector("[role=status]");
  try {
    await navigator.clipboard.writeText(field.value);
    told.textContent = button.dataset.done;
  } catch {
    field.select(); // not allowed: the reader copies by hand
    told.textContent = button.dataset.failed;
  }
}

// A field that `data-grows` is not whole before its script says so: half a link would lead to half of what it is for.
/** @type {(field: any) => Promise<void>} */
function whole(field) {
  if (!("grows" in field.dataset)) return Promise.resolve();
  return new Promise((done) => {
    field.addEventListener("grown", () => done(), { once: true });
    setTimeout(done, PATIENCE_MS);
  });
}
