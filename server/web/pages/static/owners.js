// Whose a thing is that this browser keeps: the ids of accounts, "" for who had none yet. Older things name nobody.

/** @type {(thing: { owners?: string[] }) => boolean} */
export function isNobodys({ owners }) {
  return !owners?.some((owner) => owner);
}

// Whether a thing is an account's. What is nobody's is of the only account of a browser, of which guests become one.
/** @type {(thing: { owners?: string[] }, player: string, isAlone: boolean) => boolean} */
export function isOf(thing, player, isAlone) {
  return thing.owners?.includes(player) || (isAlone && isNobodys(thing));
}

/** @type {(player: string, owners?: string[]) => string[]} */
export function without(player, owners = []) {
  return owners.filter((owner) => owner && owner !== player);
}
