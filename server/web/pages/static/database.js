// What this browser keeps in IndexedDB: books of seals and players' keys, each under its battle, side and public name.

const DATABASE = "phalera";
const VERSION = 2; // 2: keys
const STORES = {
  books: ["battle", "side", "anchor"], // books.js
  keys: ["battle", "side", "signer"], // signing.js
};

// Throws if this browser keeps nothing.
export async function requireDatabase() {
  (await opened()).close();
}

// Keep a thing; it is durable when this returns. Throws if it cannot be kept.
export async function put(store, thing) {
  const database = await opened();
  try {
    const change = database.transaction(store, "readwrite", { durability: "strict" });
    change.objectStore(store).put(thing);
    await new Promise((resolve, reject) => {
      change.oncomplete = resolve;
      change.onabort = change.onerror = () => reject(change.error);
    });
  } finally {
    database.close();
  }
}

// What is kept for a side of a battle; nothing if this browser keeps nothing.
export async function allOf(store, battle, side) {
  const database = await opened().catch(() => null);
  if (!database) return [];
  try {
    const range = IDBKeyRange.bound([battle, side], [battle, side, []]);
    return await answered(database.transaction(store).objectStore(store).getAll(range));
  } finally {
    database.close();
  }
}

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

function answered(asked) {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}
