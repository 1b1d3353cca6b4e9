// "Your book of seals" on the page of a battle: how far it is used, to save, print or load it, or to begin another.

import { bookOf, bookText, loadBook } from "./books.js";
import { carrySeat } from "./carrying.js";
import { say } from "./words.js";

const MOST_BYTES = 1 << 20; // of a file that is loaded

const part = document.getElementById("book-part");
const battle = document.getElementById("battle");

// Show the state of the book. Asked again whenever the battle has gone on.
export async function showBook() {
  if (!part) return;
  if (!(await held())) await carrySeat();
  const book = await held();
  const left = book ? book.length - book.given : 0;
  battle.classList.toggle("no-book", !left);
  if (!left && document.getElementById("book-count").textContent !== told(book)) part.open = true;
  document.getElementById("book-missing").hidden = !!book;
  document.getElementById("book-used-up").hidden = !book || left > 0;
  document.getElementById("book-save").hidden = !book;
  document.getElementById("book-count").textContent = told(book);
  document.getElementById("book-state").textContent = left
    ? say("book-here")
    : book ? say("book-used") : say("book-not-here");
}

/** @type {(book: import("./books.js").OpenBook | null) => string} */
function told(book) {
  return book ? say("book-given", { given: book.given, all: book.length }) : say("book-none");
}

export function start() {
  if (!part) return;
  document.getElementById("book-file-save").addEventListener("click", save);
  document.getElementById("book-print").addEventListener("click", print);
  document.getElementById("book-file").addEventListener("change", read);
  document.getElementById("book-load-now").addEventListener("click", load);
}

function held() {
  const { id, side, anchor } = battle.dataset;
  return bookOf(id, side, anchor);
}

async function save() {
  const book = await held();
  if (!book) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bookText(book)], { type: "text/plain" }));
  link.download = `${book.battle}-${book.side}.seals.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

async function print() {
  const book = await held();
  if (!book) return;
  const sheet = document.createElement("pre");
  sheet.className = "sheet";
  sheet.textContent = bookText(book);
  document.body.append(sheet);
  document.documentElement.classList.add("printing");
  addEventListener("afterprint", () => {
    sheet.remove();
    document.documentElement.classList.remove("printing");
  }, { once: true });
  window.print();
}

/** @type {(event: any) => Promise<void>} */
async function read(event) {
  const file = event.target.files[0];
  if (file && file.size <= MOST_BYTES) document.getElementById("book-typed").value = await file.text();
}

async function load() {
  const { id, side, anchor } = battle.dataset;
  const text = document.getElementById("book-typed").value.slice(0, MOST_BYTES);
  const isHere = await loadBook(id, side, anchor, text).catch(() => false);
  document.getElementById("book-loaded").textContent = isHere
    ? say("book-loaded")
    : say("book-wrong");
  if (isHere) location.reload();
}
