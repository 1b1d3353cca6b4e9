// A new battle: only the bots that the game of the chosen scenario has are offered.

const form = document.querySelector("form:has([name=scenario])");

function offer() {
  const [game] = String(new FormData(form).get("scenario") ?? "").split("/");
  const opponents = form.elements.opponent;
  for (const option of opponents.options) {
    const games = option.dataset.games?.split(" ");
    option.hidden = option.disabled = Boolean(game && games && !games.includes(game));
  }
  if (opponents.selectedOptions[0]?.disabled ?? true) opponents.value = usual([...opponents.options]);
}

// The bot that plays where nobody says which, if this game has it, or the weakest one.
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
