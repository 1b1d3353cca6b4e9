// The map of a campaign: a force is chosen with a click, then the area to which it goes; the turns run like a film.

const FRAME_MS = 1600;
const plate = document.querySelector(".plate");
const film = document.querySelector("form.film");
const slider = /** @type {any | null} */ (document.querySelector("#turn"));
const play = /** @type {any | null} */ (document.querySelector(".film .play"));
let chosen = "";
let timer = 0;

plate?.addEventListener("click", onPick);
slider?.addEventListener("input", () => show(slider.value));
if (play && slider && slider.max > "1") {
  play.hidden = false;
  play.addEventListener("click", run);
}

/** @type {(event: Event) => void} */
function onPick(event) {
  const at = /** @type {Element} */ (event.target);
  const force = at.closest("[data-force].force")?.getAttribute("data-force");
  if (force && selectOf(force)) {
    choose(force === chosen ? "" : force);
    return;
  }
  const area = (at.closest(".area") ?? at.closest(".force"))?.getAttribute("data-area");
  if (chosen && area) order(chosen, area);
}

/** @type {(force: string) => any | null} */
function selectOf(force) {
  return document.querySelector(`select[data-force="${CSS.escape(force)}"]`);
}

/** @type {(force: string) => void} */
function choose(force) {
  chosen = force;
  for (const one of document.querySelectorAll(".plate .chosen, .plate .within")) one.classList.remove("chosen", "within");
  if (!force) return;
  for (const one of document.querySelectorAll(`.plate .force[data-force="${CSS.escape(force)}"]`)) one.classList.add("chosen");
  for (const option of selectOf(force)?.options ?? []) {
    const area = option.dataset.area;
    if (area) document.querySelector(`.plate .area[data-area="${CSS.escape(area)}"]`)?.classList.add("within");
  }
}

/** @type {(force: string, area: string) => void} */
function order(force, area) {
  const select = selectOf(force);
  const option = [...(select?.options ?? [])].find((one) => one.dataset.area === area);
  if (!select || !option) return;
  select.value = option.value;
  choose("");
  select.focus();
}

// --- the film

/** @type {(turn: string) => Promise<void>} */
async function show(turn) {
  if (!plate || !slider) return;
  const output = film?.querySelector("output");
  if (output) output.textContent = turn;
  const answer = await fetch(`${plate.getAttribute("data-picture")}?turn=${turn}`).catch(() => null);
  if (!answer?.ok || slider.value !== turn) return;
  const drawn = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  drawn.querySelector("style")?.remove(); // the style sheet of the page has the same rules
  plate.replaceChildren(document.importNode(drawn, true));
  chosen = "";
}

function run() {
  clearInterval(timer);
  if (!slider) return;
  slider.value = slider.min;
  void show(slider.value);
  timer = window.setInterval(() => {
    if (slider.value === slider.max) clearInterval(timer);
    else {
      slider.value = String(Number(slider.value) + 1);
      void show(slider.value);
    }
  }, FRAME_MS);
}
