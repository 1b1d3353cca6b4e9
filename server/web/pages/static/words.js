// The sentences of the scripts, in the language of the page: `data-words` has them.

/** @type {Record<string, string> | undefined} */
let texts;

// The sentence under a name; `{gap}` is filled with what is given under that name.
/** @type {(name: string, gaps?: Record<string, string | number>) => string} */
export function say(name, gaps = {}) {
  texts ??= JSON.parse(document.querySelector("[data-words]")?.dataset.words ?? "{}");
  return ((texts ?? {})[name] ?? name).replace(/{(\w+)}/g, (_, gap) => String(gaps[gap] ?? ""));
}
