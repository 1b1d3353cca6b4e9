// The books of seals that this browser keeps, in IndexedDB: `{battle, side, anchor, length, tip}`, the hex of s_0 and s_N.
// Which seal is next follows from the log: the seat's anchor is s_0, and later the newest seal that was given.

import { bytesOf } from "./bytes.js";
import { adopt, allOf, put, requireDatabase } from "./database.js";
import { MOST_SEALS, SEALS, newSecret, sealFromText, sealText } from "./seals.js";

/** @typedef {{ battle: string, side: string, anchor: string, length: number, tip: string }} SealBook as it is kept */
/** @typedef {SealBook & { seals: string[], given: number }} OpenBook with its seals, and how many are given */

const BOOKS = "books";
const COLUMNS = 2; // of seals on a printed page
const NUMBERED = /(?<!\S)(\d{1,5})[.:)]?\s+([A-Za-z2-7]{26})(?!\S)/g;
const SECRET = /^[0-9a-f]{64}$/;

/** @type {Map<string, string[]>} */
const chains = new Map(); // the seals of a book, by its anchor

// Whether this browser can make a book and keep it: that takes a safe address (https) and storage.
/** @type {() => Promise<boolean>} */
export async function canKeepBooks() {
  try {
    if (!crypto.subtle) return false;
    await requireDatabase();
    return true;
  } catch {
    return false;
  }
}

// It is fetched once a seal is needed: the first view of a battle needs none.
const arithmetic = () => import("./seal_chain.js");

// A new book, kept before anybody hears of its anchor. Throws if it cannot be kept.
/** @type {(battle: string, side: string) => Promise<SealBook>} */
export async function newBook(battle, side) {
  return keptBook(battle, side, (await arithmetic()).tipOf(newSecret(), battle, side), SEALS);
}

// The book of a seat: its seals s_0 …, and how many are given; null if this browser does not have it.
/** @type {(battle: string, side: string, anchor: string) => Promise<OpenBook | null>} */
export async function bookOf(battle, side, anchor) {
  for (const book of await allOf(BOOKS, battle, side)) {
    const seals = await chainOf(book), given = seals.indexOf(anchor);
    if (given < 0) continue;
    await adopt(BOOKS, book);
    return { ...book, seals, given };
  }
  return null;
}

// The next seal of a seat's book as text, "" if this browser has none.
/** @type {(battle: string, side: string, anchor: string) => Promise<string>} */
export async function nextSeal(battle, side, anchor) {
  const book = await bookOf(battle, side, anchor);
  const seal = book?.seals[book.given + 1];
  return seal ? sealText(seal) : "";
}

// Keep the book in a text: that of `bookText`, or what `phalera seal` writes. False if it is not the seat's.
/** @type {(battle: string, side: string, anchor: string, text: string) => Promise<boolean>} */
export async function loadBook(battle, side, anchor, text) {
  const { tip, length } = await read(battle, side, text);
  if (!tip || !(length <= MOST_SEALS)) return false;
  if (!(await arithmetic()).sealsOf(battle, side, tip, length).includes(anchor)) return false;
  await keptBook(battle, side, tip, length);
  return true;
}

// The last seal of a book, from which the others follow, and its number.
/** @type {(battle: string, side: string, text: string) => Promise<{ tip?: string, length: number }>} */
async function read(battle, side, text) {
  const { tipOf } = await arithmetic();
  try {
    const { secret, count } = JSON.parse(text);
    return SECRET.test(secret) ? { tip: tipOf(bytesOf(secret), battle, side), length: count } : { length: 0 };
  } catch {
    /** @type {{ tip?: string, length: number }[]} */
    const numbered = [...text.matchAll(NUMBERED)].map(([, number, seal]) => ({ tip: sealFromText(seal), length: Number(number) }));
    return numbered.reduce((most, one) => (one.length > most.length ? one : most), { length: 0 });
  }
}

// A book to print or to keep elsewhere.
/** @type {(book: OpenBook) => string} */
export function bookText(book) {
  const next = book.given + 1;
  return [
    "A book of seals for Phalera",
    "",
    `battle  ${book.battle}`,
    `seat    ${book.side}`,
    `anchor  ${book.anchor}`,
    `seals   ${book.length}; ${book.given} are given, the next one is number ${next}`,
    "",
    "Each seal is your share of the chance of one turn. Give them in this order, each once, with the first",
    "order of a turn of yours; by mail on a line of its own:",
    "",
    `    seal ${sealText(book.seals[Math.min(next, book.length)])}`,
    "",
    "The page of the battle does it by itself. Keep this book to yourself: who has a seal before it is",
    "given can help the host to know your draws in advance.",
    "",
    ...inColumns(book.seals.slice(1).map((seal, at) => `${String(at + 1).padStart(5)}  ${sealText(seal)}`)),
    "",
  ].join("\n");
}

/** @type {(cells: string[]) => string[]} */
function inColumns(cells) {
  const rows = Math.ceil(cells.length / COLUMNS);
  return cells.slice(0, rows).map((_, row) => cells.filter((_, at) => at % rows === row).join("    "));
}

/** @type {(book: SealBook) => Promise<string[]>} */
async function chainOf(book) {
  if (!chains.has(book.anchor)) chains.set(book.anchor, (await arithmetic()).sealsOf(book.battle, book.side, book.tip, book.length));
  return chains.get(book.anchor) ?? [];
}

// --- storage

/** @type {(battle: string, side: string, tip: string, length: number) => Promise<SealBook>} */
async function keptBook(battle, side, tip, length) {
  const seals = (await arithmetic()).sealsOf(battle, side, tip, length);
  const book = { battle, side, anchor: seals[0], length, tip };
  await put(BOOKS, book);
  return book;
}
