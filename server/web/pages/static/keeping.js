// Small texts that this browser keeps; without storage it keeps nothing.

/** @type {(key: string) => string | null} */
export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @type {(key: string, value: string) => void} */
export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
}
