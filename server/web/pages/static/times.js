// Times of the log in the reader's own zone and language; without this they stand there in UTC.

/** @type {(root: any) => void} */
export function showLocal(root) {
  for (const part of root.querySelectorAll("time[datetime]:not([data-local])")) {
    const at = new Date(part.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    part.dataset.local = "";
    part.title = part.textContent;
    part.textContent = new Intl.DateTimeFormat(document.documentElement.lang, FORM).format(at);
  }
}

/** @type {Intl.DateTimeFormatOptions} */
const FORM = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
