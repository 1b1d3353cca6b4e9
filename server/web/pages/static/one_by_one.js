// What is sent goes one after the other: each line that is signed takes the next number of its seat.

const LEAVING_MS = 10000; // how long a page that is left for the answer may stay

/** @type {Promise<any>} */
let last = Promise.resolve();
let isLeft = false;

/** @type {<T>(send: () => Promise<T>) => Promise<T>} */
export function oneByOne(send) {
  const mine = last.then(send);
  last = mine.catch(() => {});
  return mine;
}

// Send a form whose answer is the next page; nothing more is sent from this one, unless its reader comes back to it.
/** @type {(form: { submit(): void }) => Promise<void>} */
export async function leaveBy(form) {
  isLeft = true;
  addEventListener("pageshow", () => { isLeft = false; }, { once: true });
  form.submit();
  await new Promise((done) => {
    setTimeout(done, LEAVING_MS);
    addEventListener("pageshow", done, { once: true });
  });
}

// Whether the answer to such a form is still to come: another page in its place would never hear whether the server took it.
export function isLeaving() {
  return isLeft;
}
