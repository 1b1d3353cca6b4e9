// An army that is being made: every change is checked by the server at once, without leaving the page.

let newest = 0; // counts what was asked: an answer that comes late is dropped

document.addEventListener("change", (/** @type {any} */ event) => {
  const form = event.target.closest("#builder");
  if (form && !event.target.name.startsWith("line ")) send(form, null, event.target.name);
});
document.addEventListener("submit", (/** @type {any} */ event) => {
  if (event.target.id !== "builder") return;
  event.preventDefault();
  send(event.target, event.submitter, event.submitter?.value ?? "");
});

/** @type {(form: any, pressed: any, focused: string) => Promise<void>} */
async function send(form, pressed, focused) {
  const asked = newest += 1, body = new URLSearchParams(new FormData(form, pressed)), chosen = lines(form);
  const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer) return form.submit();
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (asked !== newest) return;
  if (!fresh.getElementById("builder")) return document.querySelector("main").replaceWith(fresh.querySelector("main"));
  const open = [...document.querySelectorAll("main details[open]")].map((one) => one.id);
  document.querySelector("main").replaceWith(fresh.querySelector("main"));
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const [name, value] of chosen) document.getElementById("builder").elements[name].value = value;
  const again = [...document.querySelectorAll("#builder [name]")].find((one) => one.name === focused || one.value === focused);
  (again ?? document.querySelector("#builder button")).focus({ preventScroll: true });
}

// What is chosen to be added next stays chosen.
/** @type {(form: any) => [string, string][]} */
function lines(form) {
  return [...form.querySelectorAll("select[name^='line ']")].map((one) => [one.name, one.value]);
}

export {}; // a module, with names of its own
