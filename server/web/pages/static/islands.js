// Data that a page has for its scripts: JSON in a script element, by name (server.web.pages.islands).

/** @type {WeakMap<object, any>} */
const known = new WeakMap(); // what was read stays so: a newer page brings an element of its own

// The value of an island within a part of the page; `nothing` where there is none.
/** @template T @param {string} name @param {any} part @param {T} nothing @returns {T} */
export function read(name, part, nothing) {
  const island = part?.querySelector(`[data-island="${name}"]`);
  if (!island) return nothing;
  if (!known.has(island)) known.set(island, JSON.parse(island.textContent));
  return known.get(island);
}
