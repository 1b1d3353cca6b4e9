// Scripts that are fetched when somebody first wants them.

// One promise for all who ask while a script is on its way: several imports of one script need not end in the order in which they
// began, and what people did before it came would be done in another order. A script that did not come is asked for again.
/** @template T @param {() => Promise<T>} load @returns {() => Promise<T>} */
export function once(load) {
  /** @type {Promise<T> | null} */
  let coming = null;
  return () => {
    if (coming) return coming;
    const begun = load();
    begun.catch(() => { coming = null; });
    return (coming = begun);
  };
}
