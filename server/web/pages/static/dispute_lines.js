// What the canonical order lines of disputes say, letter by letter. As `domain/contract/dispute_lines.py`.

const KINDS = "rules|facts|conduct|time";
const PLAYER = "(?<player>[A-Za-z0-9][A-Za-z0-9._-]{0,63})";
const DOCKET = "(?<docket>d[1-9][0-9]*)";
const TEXT = "(?: (?<text>.+))?";

/** @typedef {{ verb: string, docket: string, about: number, kind: string, remedy: string, player: string, text: string, side: string, signer: string }} DisputeWords */

/** @type {DisputeWords} */
export const NO_WORDS = { verb: "", docket: "", about: 0, kind: "", remedy: "", player: "", text: "", side: "", signer: "" };

// The order lines of disputes in a battle of these seats.
/** @type {(seats: string[]) => RegExp[]} */
export function linesOf(seats) {
  const side = `(?<side>${seats.join("|")})`, remedy = `none|rewind [1-9][0-9]*|draw|award (?:${seats.join("|")})`;
  return [
    `(?<verb>dispute) (?<about>[1-9][0-9]*) (?<kind>${KINDS})${TEXT}`,
    `(?<verb>takeback)${TEXT}`,
    `(?<verb>answer) ${DOCKET}${TEXT}`,
    `(?<verb>umpire) ${PLAYER}(?: (?<signer>[A-Za-z0-9+/]{43}=))?`,
    `(?<verb>substitute) ${PLAYER}`,
    `(?<verb>substitute) ${side} ${PLAYER}`,
    "(?<verb>agree umpire)",
    `(?<verb>agree|decline|withdraw|halt|go on) ${DOCKET}`,
    `(?<verb>offer) ${DOCKET} (?<remedy>${remedy})${TEXT}`,
    `(?<verb>rule) ${DOCKET} (?<remedy>${remedy}|correct)${TEXT}`,
    `(?<verb>flag) ${side} (?<remedy>lost|draw|more)${TEXT}`,
  ].map((line) => new RegExp(`^(?:${line})$`, "s"));
}

// What a line says; NO_WORDS if it is none of these.
/** @type {(line: unknown, lines: RegExp[]) => DisputeWords} */
export function wordsOf(line, lines) {
  const found = typeof line === "string" ? lines.map((one) => one.exec(line)).find(Boolean) : null;
  if (!found) return NO_WORDS;
  const said = Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, value]) => [name, value ?? ""]));
  return { ...NO_WORDS, ...said, about: Number(said.about ?? 0) };
}
