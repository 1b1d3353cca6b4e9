// Solves the puzzle of a newcomer (server/web/puzzles.py) and sends their form on: the smallest number that makes the
// digest of "TICKET NUMBER" begin with enough zero bits. A digest of our own: the browser's is slow for so little, and
// not there without TLS. Without this script the page says how long to wait.
const AT_ONCE = 3000; // digests between two looks at the page

const FIRST = new Uint32Array([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);
const K = new Uint32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);
const W = new Uint32Array(64);

const form = document.getElementById("puzzle");
if (form) solve(form);

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

function solution(ticket, bits, from, to) {
  for (let number = from; number < to; number++) if (zeros(`${ticket} ${number}`) >= bits) return number;
  return -1;
}

// The zero bits at the beginning of a SHA-256, as far as its first 32.
function zeros(text) {
  const length = text.length, blocks = ((length + 8) >> 6) + 1, words = new Uint32Array(16 * blocks);
  for (let at = 0; at < length; at++) words[at >> 2] |= text.charCodeAt(at) << (24 - 8 * (at & 3));
  words[length >> 2] |= 0x80 << (24 - 8 * (length & 3));
  words[words.length - 1] = 8 * length;
  const state = FIRST.slice();
  for (let block = 0; block < words.length; block += 16) take(state, words, block);
  return Math.clz32(state[0]);
}

function take(state, words, from) {
  for (let at = 0; at < 64; at++) {
    if (at < 16) {
      W[at] = words[from + at];
      continue;
    }
    const early = W[at - 15], late = W[at - 2];
    const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3), two = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    W[at] = W[at - 16] + one + W[at - 7] + two;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < 64; at++) {
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + K[at] + W[at]) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((value, at) => { state[at] += value; });
}

function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}
