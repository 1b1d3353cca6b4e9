// Solves the puzzle of a newcomer and sends their form on. Without this script the page says how long to wait. The digest is ours:
// the browser's is slow for so little, and not there without TLS.
import { solution } from "./solving.js";

const AT_ONCE = 3000; // digests between two looks at the page

const form = document.getElementById("puzzle");
if (form) solve(form);

/** @type {(form: any) => Promise<void>} */
async function solve(form) {
  const ticket = form.elements.namedItem("ticket").value, bits = Number(ticket.split(".")[1]);
  for (let number = 0; ; number += AT_ONCE) {
    const found = solution(ticket, bits, number, number + AT_ONCE);
    if (found >= 0) {
      form.elements.namedItem("solution").value = String(found);
      form.submit();
      return;
    }
    await new Promise((done) => setTimeout(done));
  }
}
