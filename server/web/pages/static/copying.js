// Buttons that copy what a field shows, or hand it to the share menu of the device; where a browser can do neither, the
// field stays alone.

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
