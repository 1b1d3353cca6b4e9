// What this browser keeps in IndexedDB: books of seals and players' keys, each under its battle, side and public name; the
// keys of lockers, by player, and which version of each locker was seen; logs that were checked, the player's own words, and
// the keys of hosts. Each thing names its `owners`, the accounts in which this browser has kept it: it goes when they log out
// (forgetting.js).

const DATABASE = "phalera";
const VERSION = 4; // 2: keys; 3: lockers; 4: what watching keeps
const STORES = {
  books: ["battle", "side", "anchor"], // books.js
  keys: ["battle", "side", "signer"], // signing.js
  lockerKeys: ["player"], // locker_keys.js
  lockers: ["player", "kind", "place"],
  lines: ["battle", "after"], // kept_log.js
  watched: ["battle", "what"],
  words: ["battle", "side", "request"], // own_words.js
};

let account = typeof document === "undefined" ? "" : (document.querySelector("form.who")?.dataset.player ?? ""); // for which things are kept

// A worker has no page that says whose it is.
/** @type {(player: string) => void} */
export function actFor(player) {
  account = player;
}

// Throws if this browser keeps nothing.
/** @type {() => Promise<void>} */
export async function requireDatabase() {
  (await opened()).close();
}

// Keep a thing; it is durable when this returns. Throws if it cannot be kept.
/** @type {(store: string, thing: any) => Promise<void>} */
export function put(store, thing) {
  return changed(store, (things) => {
    const asked = things.get(things.keyPath.map((/** @type {string} */ part) => thing[part]));
    asked.onsuccess = () => things.put({ ...thing, owners: ownersWith(asked.result?.owners, account) });
  });
}

// The owners of a thing once it is kept for an account, too: what was nobody's is theirs then.
/** @type {(owners: string[] | undefined, account: string) => string[]} */
export function ownersWith(owners, account) {
  const named = (owners ?? []).filter((owner) => owner);
  return [...new Set(account || !named.length ? [...named, account] : named)];
}

// Keep a thing that is here for the account of this page, too: a guest had none when it was made.
/** @type {(store: string, thing: any) => Promise<void>} */
export async function adopt(store, thing) {
  if (account && !thing.owners?.includes(account)) await put(store, thing);
}

// Keep a thing as `put` does, unless there is one of its name: then it throws.
/** @type {(store: string, thing: object) => Promise<void>} */
export function add(store, thing) {
  return changed(store, (things) => things.add({ ...thing, owners: [account] }));
}

/** @type {(store: string, name: string[]) => Promise<void>} */
export function remove(store, name) {
  return changed(store, (things) => things.delete(name));
}

// Forget things, or keep them for other accounts only, as `left` says: the owners that a thing goes on with, null to leave it as it is.
/** @type {(store: string, left: (thing: any) => string[] | null) => Promise<void>} */
export function disown(store, left) {
  return changed(store, (things) => {
    const asked = things.openCursor();
    asked.onsuccess = () => {
      const cursor = asked.result, owners = cursor && left(cursor.value);
      if (owners) owners.length ? cursor.update({ ...cursor.value, owners }) : cursor.delete();
      cursor?.continue();
    };
  });
}

/** @type {(store: string, deed: (things: any) => void) => Promise<void>} */
async function changed(store, deed) {
  const database = await opened();
  try {
    const change = database.transaction(store, "readwrite", { durability: "strict" });
    deed(change.objectStore(store));
    await new Promise((resolve, reject) => {
      change.oncomplete = resolve;
      change.onabort = change.onerror = () => reject(change.error);
    });
  } finally {
    database.close();
  }
}

// What is kept for a side of a battle; nothing if this browser keeps nothing.
/** @type {(store: string, battle: string, side: string) => Promise<any[]>} */
export function allOf(store, battle, side) {
  return read(store, (things) => things.getAll(IDBKeyRange.bound([battle, side], [battle, side, []])), []);
}

// What is kept for both sides of a battle, or under a first name that is something else.
/** @type {(store: string, battle: string) => Promise<any[]>} */
export function allIn(store, battle) {
  return read(store, (things) => things.getAll(IDBKeyRange.bound([battle], [battle, []])), []);
}

// All that is kept, of whatever battle.
/** @type {(store: string) => Promise<any[]>} */
export function everything(store) {
  return read(store, (things) => things.getAll(), []);
}

// The thing of a name; undefined if there is none.
/** @type {(store: string, name: string[]) => Promise<any>} */
export function one(store, name) {
  return read(store, (things) => things.get(name), undefined);
}

/** @type {(store: string, question: (things: any) => any, nothing: any) => Promise<any>} */
async function read(store, question, nothing) {
  const database = await opened().catch(() => null);
  if (!database) return nothing;
  try {
    return await answered(question(database.transaction(store).objectStore(store)));
  } finally {
    database.close();
  }
}

/** @type {() => Promise<any>} */
function opened() {
  const asked = indexedDB.open(DATABASE, VERSION);
  asked.onupgradeneeded = () => {
    const known = asked.result.objectStoreNames;
    for (const [store, keyPath] of Object.entries(STORES)) {
      if (!known.contains(store)) asked.result.createObjectStore(store, { keyPath });
    }
  };
  return answered(asked);
}

/** @type {(asked: any) => Promise<any>} */
function answered(asked) {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}
