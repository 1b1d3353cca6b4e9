// What is sent goes one after the other: each line that is signed takes the next number of its seat.

const LEAVING_MS = 10000; // how long a page that is left for the answer may stay

/** @type {Promise<any>} */
let last = Promise.resolve();

/** @type {<T>(send: () => Promise<T>) => Promise<T>} */
export function oneByOne(send) {
  const mine = last.then(send);
  last = mine.catch(() => {});
  return mine;
}

// Send a form whose answer is the next page; nothing more is sent from this one, unless its reader comes back to it.
/** @type {(form: { submit(): void }) => Promise<void>} */
export async function leaveBy(form) {
  form.submit();
  await new Promise((done) => {
    setTimeout(done, LEAVING_MS);
    addEventListener("pageshow", done, { once: true });
  });
}
