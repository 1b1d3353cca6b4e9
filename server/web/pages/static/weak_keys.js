// Which 32 bytes are the public key of somebody: a point of Ed25519 in its one encoding (RFC 8032, 5.1.3), and none of small
// order, under which one signature fits any message. As `domain/log/points.py`.

const BYTES = 32;
const FIELD = (1n << 255n) - 19n;
const ORDER_EIGHT = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const WEAK = [0n, 1n, FIELD - 1n, ORDER_EIGHT, FIELD - ORDER_EIGHT]; // y of the eight points of order 1, 2, 4 or 8
const CURVE = modulo(-121665n * power(121666n, FIELD - 2n)); // d of -x² + y² = 1 + d x² y²

/** @type {Map<string, boolean>} */
const known = new Map();

/** @type {(key: Uint8Array) => boolean} */
export function isStrongKey(key) {
  const name = key.join();
  const isStrong = known.get(name) ?? (key.length === BYTES && isStrong255(key));
  known.set(name, isStrong);
  return isStrong;
}

/** @type {(key: Uint8Array) => boolean} */
function isStrong255(key) {
  const y = [...key].reduceRight((number, byte, at) => (number << 8n) | BigInt(at === BYTES - 1 ? byte & 0x7f : byte), 0n);
  if (y >= FIELD || WEAK.includes(y)) return false;
  const square = (y * y - 1n) * power(modulo(CURVE * y * y + 1n), FIELD - 2n); // x²
  return power(modulo(square), (FIELD - 1n) / 2n) === 1n;
}

/** @type {(number: bigint) => bigint} */
function modulo(number) {
  return ((number % FIELD) + FIELD) % FIELD;
}

/** @type {(base: bigint, exponent: bigint) => bigint} */
function power(base, exponent) {
  let result = 1n;
  for (let left = exponent, square = base; left; left >>= 1n, square = (square * square) % FIELD) {
    if (left & 1n) result = (result * square) % FIELD;
  }
  return result;
}
