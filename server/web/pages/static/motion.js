// Short motion when the board is drawn anew: units slide from where they stood. None for readers who want less of it.

const SLIDE_MS = 280;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Where each unit of the board stands, in steps of the picture, and on which board: one that was turned is another.
/** @type {() => { board: string, spots: Map<string, number[] | undefined> }} */
export function places() {
  const tokens = [...document.querySelectorAll("#board [data-unit][transform]")];
  return { board: kindOfBoard(), spots: new Map(tokens.map((token) => [token.id, spotOf(token)])) };
}

// Let those that stand elsewhere now slide there.
/** @type {(before: ReturnType<typeof places>) => void} */
export function slide(before) {
  if (calm.matches || before.board !== kindOfBoard()) return;
  for (const token of document.querySelectorAll("#board [data-unit][transform]")) {
    const from = before.spots.get(token.id), to = spotOf(token);
    if (!from || !to || (from[0] === to[0] && from[1] === to[1])) continue;
    token.animate({ translate: [`${from[0] - to[0]}px ${from[1] - to[1]}px`, "0px 0px"] }, { duration: SLIDE_MS, easing: "ease-out" });
  }
}

/** @type {(token: any) => number[] | undefined} */
const spotOf = (token) => /translate\(([-\d.]+) ([-\d.]+)\)/.exec(token.getAttribute("transform"))?.slice(1).map(Number);

const kindOfBoard = () => `${document.querySelector("#board svg")?.getAttribute("viewBox")} ${"turned" in (document.getElementById("board")?.dataset ?? {})}`;
