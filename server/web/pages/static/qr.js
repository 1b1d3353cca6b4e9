// A text as a QR code (ISO/IEC 18004): bytes, level L, mask 0. What stands behind the # of a link no server may draw.

const MOST_VERSION = 15;
// By version from 1: codewords that correct in each block, and blocks.
const CORRECTING = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6];
const LEVEL_AND_MASK = 0b01000; // L, mask 0
const BYTES = 4; // the mode

/** @typedef {{ size: number, dark: boolean[][], fixed: boolean[][] }} Matrix rows of modules; `fixed` ones carry no data */

// The dark modules as rows of booleans; null if the text is too long.
/** @type {(text: string) => boolean[][] | null} */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  for (let version = 1; version <= MOST_VERSION; version++) {
    const room = Math.floor(modulesOfData(version) / 8) - CORRECTING[version - 1] * BLOCKS[version - 1];
    const head = 4 + (version < 10 ? 8 : 16);
    if (head + 8 * bytes.length <= 8 * room) return drawn(version, corrected(version, codewords(bytes, head - 4, room)));
  }
  return null;
}

/** @type {(bytes: Uint8Array, counted: number, room: number) => number[]} */
function codewords(bytes, counted, room) {
  const bits = [...bitsOf(BYTES, 4), ...bitsOf(bytes.length, counted), ...[...bytes].flatMap((byte) => bitsOf(byte, 8))];
  bits.push(...bitsOf(0, Math.min(4, 8 * room - bits.length)));
  bits.push(...bitsOf(0, (8 - (bits.length % 8)) % 8));
  const words = [];
  for (let at = 0; at < bits.length; at += 8) words.push(bits.slice(at, at + 8).reduce((word, bit) => 2 * word + bit, 0));
  for (let pad = 0xec; words.length < room; pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

/** @type {(number: number, count: number) => number[]} */
function bitsOf(number, count) {
  return Array.from({ length: count }, (_, at) => (number >> (count - 1 - at)) & 1);
}

// --- Reed and Solomon's code over the field of 256 elements (0x11d)

/** @type {(one: number, other: number) => number} */
function times(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}

/** @type {(degree: number) => number[]} */
function divisor(degree) {
  const found = Array.from({ length: degree }, (_, at) => Number(at === degree - 1));
  for (let root = 1, step = 0; step < degree; step++, root = times(root, 2)) {
    for (let at = 0; at < degree; at++) found[at] = times(found[at], root) ^ (at + 1 < degree ? found[at + 1] : 0);
  }
  return found;
}

/** @type {(words: number[], by: number[]) => number[]} */
function remainder(words, by) {
  const left = by.map(() => 0);
  for (const word of words) {
    const factor = word ^ (left.shift() ?? 0);
    left.push(0);
    by.forEach((coefficient, at) => { left[at] ^= times(coefficient, factor); });
  }
  return left;
}

// The blocks with their correction, woven.
/** @type {(version: number, words: number[]) => number[]} */
function corrected(version, words) {
  const count = BLOCKS[version - 1], short = Math.floor(words.length / count), long = words.length % count;
  const by = divisor(CORRECTING[version - 1]), blocks = [], checks = [];
  for (let at = 0, number = 0; number < count; number++) {
    const block = words.slice(at, (at += short + Number(number >= count - long)));
    blocks.push(block);
    checks.push(remainder(block, by));
  }
  return [...woven(blocks), ...woven(checks)];
}

/** @type {(blocks: number[][]) => number[]} */
function woven(blocks) {
  const longest = Math.max(...blocks.map((block) => block.length));
  return Array.from({ length: longest }, (_, at) => blocks.filter((block) => at < block.length).map((block) => block[at])).flat();
}

// --- the picture

/** @type {(version: number) => number} */
function modulesOfData(version) {
  const spots = version > 1 ? Math.floor(version / 7) + 2 : 0;
  const aligning = spots ? (25 * spots - 10) * spots - 55 : 0;
  return (16 * version + 128) * version + 64 - aligning - (version > 6 ? 36 : 0);
}

/** @type {(version: number, words: number[]) => boolean[][]} */
function drawn(version, words) {
  const size = 17 + 4 * version, rows = () => Array.from({ length: size }, () => new Array(size).fill(false));
  /** @type {Matrix} */
  const matrix = { size, dark: rows(), fixed: rows() };
  for (let at = 0; at < size; at++) for (const [y, x] of [[6, at], [at, 6]]) fix(matrix, y, x, at % 2 === 0);
  for (const [y, x] of [[3, 3], [3, size - 4], [size - 4, 3]]) square(matrix, y, x, 4, [0, 1, 3]);
  const spots = spotsOf(version), last = spots.length - 1;
  spots.forEach((y, row) => spots.forEach((x, column) => {
    if (!(row === 0 && column === 0) && !(row === 0 && column === last) && !(row === last && column === 0)) square(matrix, y, x, 2, [0, 2]);
  }));
  writeFormat(matrix);
  if (version > 6) writeVersion(matrix, version);
  fill(matrix, words.flatMap((word) => bitsOf(word, 8)));
  return matrix.dark;
}

/** @type {(matrix: Matrix, y: number, x: number, isDark: boolean) => void} */
function fix({ size, dark, fixed }, y, x, isDark) {
  if (y < 0 || x < 0 || y >= size || x >= size) return;
  dark[y][x] = isDark;
  fixed[y][x] = true;
}

// A square of rings around a module: those at the distances in `rings` are dark.
/** @type {(matrix: Matrix, y: number, x: number, far: number, rings: number[]) => void} */
function square(matrix, y, x, far, rings) {
  for (let down = -far; down <= far; down++) {
    for (let right = -far; right <= far; right++) fix(matrix, y + down, x + right, rings.includes(Math.max(Math.abs(down), Math.abs(right))));
  }
}

/** @type {(version: number) => number[]} */
function spotsOf(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2, step = Math.ceil((4 * version + 4) / (2 * count - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => 4 * version + 10 - (count - 2 - at) * step)];
}

/** @type {(matrix: Matrix) => void} */
function writeFormat(matrix) {
  const { size } = matrix, bits = ((LEVEL_AND_MASK << 10) | rest(LEVEL_AND_MASK, 10, 0x537)) ^ 0x5412;
  for (let at = 0; at < 15; at++) {
    const isDark = ((bits >> at) & 1) === 1, near = at < 6 ? at : at < 8 ? at + 1 : 14 - at;
    if (at < 8) fix(matrix, near, 8, isDark);
    else fix(matrix, 8, at === 8 ? 7 : near, isDark);
    if (at < 8) fix(matrix, 8, size - 1 - at, isDark);
    else fix(matrix, size - 15 + at, 8, isDark);
  }
  fix(matrix, size - 8, 8, true);
}

/** @type {(matrix: Matrix, version: number) => void} */
function writeVersion(matrix, version) {
  const bits = (version << 12) | rest(version, 12, 0x1f25);
  for (let at = 0; at < 18; at++) {
    const far = matrix.size - 11 + (at % 3), along = Math.floor(at / 3), isDark = ((bits >> at) & 1) === 1;
    fix(matrix, far, along, isDark);
    fix(matrix, along, far, isDark);
  }
}

/** @type {(number: number, degree: number, by: number) => number} */
function rest(number, degree, by) {
  let left = number;
  for (let step = 0; step < degree; step++) left = (left << 1) ^ ((left >> (degree - 1)) * by);
  return left;
}

// The data, in columns of two from the right, up and down, under mask 0.
/** @type {(matrix: Matrix, bits: number[]) => void} */
function fill({ size, dark, fixed }, bits) {
  let at = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (!fixed[y][x]) dark[y][x] = (bits[at++] === 1) !== ((y + x) % 2 === 0);
      }
    }
  }
}
