// What somebody has typed or chosen in a part of the page stays when a newer one takes its place.

// What a form carries for others (hidden fields), its share of the chance and the step of the replay are made anew.
const FIELDS = "input:not([type=hidden], [type=range], [data-phrase], [data-seal]), select, textarea";

/** @type {(old: Element, next: Element) => void} */
export function keepTyped(old, next) {
  const fresh = new Map(fieldsOf(next).map((field) => [placeOf(field), field]));
  for (const field of fieldsOf(old)) {
    const same = fresh.get(placeOf(field));
    if (!same) continue;
    for (const [name, value] of Object.entries(field.dataset)) same.dataset[name] ??= value; // that it was chosen
    if (!isAsMade(field)) give(same, field);
  }
}

/** @type {(field: any, from: any) => void} */
function give(field, from) {
  const offered = field.value;
  if (isTicked(field)) field.checked = from.checked;
  else field.value = from.value;
  if (field.selectedIndex === -1) field.value = offered; // what was chosen is no longer offered
}

/** @type {(part: Element) => any[]} */
const fieldsOf = (part) => [...part.querySelectorAll(FIELDS)];
/** @type {(field: any) => boolean} */
const isTicked = (field) => field.type === "checkbox" || field.type === "radio";

// Which field of which form it is, in any version of the page.
/** @type {(field: any) => string} */
function placeOf(field) {
  const form = field.form;
  return [form?.getAttribute("action"), form?.dataset.side, field.name, field.id, isTicked(field) ? field.value : ""].join(" ");
}

/** @type {(field: any) => boolean} */
function isAsMade(field) {
  if (isTicked(field)) return field.checked === field.defaultChecked;
  if (field.options) return field.selectedOptions[0] === ([...field.options].find((option) => option.defaultSelected) ?? field.options[0]);
  return field.value === field.defaultValue;
}
