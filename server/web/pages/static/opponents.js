// A new battle: only the seats and bots that the game of the chosen scenario has are offered.

const form = document.querySelector("form:has([name=scenario])");

function offer() {
  const [game] = String(new FormData(form).get("scenario") ?? "").split("/");
  for (const list of [form.elements.side, form.elements.opponent]) {
    for (const option of list.options) {
      const games = option.dataset.games?.split(" ").filter(Boolean);
      option.hidden = option.disabled = Boolean(game && games?.length && !games.includes(game));
    }
    if (list.selectedOptions[0]?.disabled ?? true) list.value = usual([...list.options]);
  }
}

// What is chosen where nobody says what, if this game has it, or the first of the list: of bots the weakest one.
/** @type {(options: any[]) => string} */
function usual(options) {
  const open = options.filter((one) => !one.disabled);
  return (open.find((one) => one.defaultSelected) ?? open[0]).value;
}

if (form) {
  form.addEventListener("change", offer);
  addEventListener("pageshow", offer); // a browser that goes back has chosen already
}

export {}; // a module, with names of its own
