// Watching, on the page: a worker checks all that the server adds to the log; at a fault this says so, offers what proves it,
// and holds back what would go into the log until the reader goes on all the same.

import { answered, keepWords, plainly, REFUSED } from "./own_words.js";
import { evidenceOf } from "./kept_log.js";
import { settleAct } from "./own_acts.js";
import { sealFromText } from "./seals.js";
import { say } from "./words.js";

const ROOT = new URL("..", import.meta.url).pathname; // this script is in `static/` of the server
const MOST_TRIES = 3, RETRY_MS = 1000; // a log that does not come is asked for at once, a second and two seconds later
const SCRIPTED = /[:;{}]|^(repeat|if|else|end if|on|stop|try|phrase|seal|preview)\b/i;

/** @type {Record<string, string>} */
const KEYS = { "host-key-unknown": "key", "player-key-unknown": "player-key" }; // what is said of them is no matter of a proof

const battle = document.getElementById("battle"), notice = document.getElementById("watch");
const waiting = new WeakMap(); // the forms that wait, with the button that was pressed last
/** @type {any} */
let worker = null;
/** @type {{ n: number, fault: import("./kept_log.js").ShownFault | null, lost: boolean }} */
let newest = { n: -1, fault: null, lost: false }; // the newest answer of the worker
/** @type {(value?: any) => void} */
let heard = () => undefined; // who waits for the next one
let next = wait();

function wait() {
  return new Promise((resolve) => { heard = resolve; });
}

/** @type {(ms: number) => Promise<void>} */
function pause(ms) {
  return new Promise((done) => { setTimeout(done, ms); });
}

export function start() {
  worker = new Worker(notice.dataset.worker, { type: "module" });
  worker.addEventListener("message", (/** @type {any} */ { data }) => take(data));
  worker.addEventListener("error", fail);
  const { id, side } = battle.dataset, address = new URL(notice.dataset.address, location.href).href;
  const player = document.querySelector("form.who")?.dataset.player ?? "";
  worker.postMessage({ begin: { battle: id, side, address, player } });
  new BroadcastChannel("phalera-left").addEventListener("message", (/** @type {any} */ { data }) => data === player && worker?.terminate());
  battle.addEventListener("renewed", () => look());
  notice.querySelector("[data-watch-on]").addEventListener("click", () => look(true));
  settleAct().catch(() => undefined).then(() => look());
}

// The script of the worker does not run here: the page is as it would be without it.
/** @type {(event: any) => void} */
function fail(event) {
  event.preventDefault?.();
  worker = null;
  take({ n: Infinity, fault: null });
}

/** @type {(accept?: boolean) => void} */
function look(accept = false) {
  const [n, head] = battle.dataset.seen.split(" ");
  if (worker && head) worker.postMessage({ accept, look: { n: Number(n), head, note: document.querySelector("#receipt pre")?.textContent ?? "" } });
}

/** @type {(data: any) => void} */
function take(data) {
  newest = { fault: null, lost: false, ...data };
  battle.dataset.checked = newest.lost || newest.fault ? "" : newest.n; // up to which event the log holds
  show();
  const told = heard;
  next = wait();
  told();
}

// --- what is held back

// Whether all that the page shows was checked, and holds.
export function isClear() {
  return !battle.dataset.seen || (newest.n >= Number(battle.dataset.n) && !newest.fault && !newest.lost);
}

// Send a form as soon as that is so.
/** @type {(form: any, pressed: any) => Promise<void>} */
export async function whenClear(form, pressed) {
  const isWaiting = waiting.has(form);
  waiting.set(form, pressed);
  if (isWaiting) return;
  for (let tries = 0; !isClear() && !newest.fault; await next) {
    if (!newest.lost) continue;
    if (tries === MOST_TRIES) break;
    await pause(tries++ * RETRY_MS); // a busy server gives it a moment later
    newest.lost = false;
    look();
  }
  const last = waiting.get(form);
  waiting.delete(form);
  delete form.dataset.held;
  if (isClear()) return send(form, last);
  delete form.dataset.orders;
  if (newest.fault) notice.querySelector("h2").focus();
  else tell(form, say("watch-lost"));
}

// A newer part of the page may have come, with another button of the same kind.
/** @type {(form: any, pressed: any) => void} */
function send(form, pressed) {
  if (!form.isConnected) return;
  const button = !pressed || pressed.isConnected ? pressed : [...form.elements].find(({ name, value }) => name === pressed.name && value === pressed.value);
  form.requestSubmit(button ?? undefined);
}

/** @type {(form: any, words: string) => void} */
function tell(form, words) {
  const told = document.getElementById("told");
  if (told && form.id === "order-form") told.textContent = words;
  else alert(words);
}

// --- what is said

function show() {
  const { fault } = newest, wasHidden = notice.hidden;
  notice.hidden = !fault;
  if (!fault) return;
  notice.dataset.what = fault.what;
  const { n, kind, details } = fault, what = say(kind, details);
  const said = notice.querySelector("[data-watch-said]"), words = n ? say("watch-event", { n, what }) : say("watch-file", { what });
  if (said.textContent !== words) said.textContent = words;
  const about = KEYS[fault.what] ?? "do";
  for (const part of ["do", "key", "player-key"]) notice.querySelector(`[data-watch-${part}]`).hidden = part !== about;
  if (wasHidden) offerEvidence();
}

async function offerEvidence() {
  const files = await evidenceOf(battle.dataset.id);
  notice.querySelector("ul").replaceChildren(...files.map(({ name, text }) => {
    const line = document.createElement("li"), link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
    link.download = link.textContent = name;
    line.append(link);
    return line;
  }));
}

// --- the player's own words

// Keep what a form is about to send; gives what is to be called with the answer.
/** @type {(form: any, body: any) => Promise<(answer: any, fresh: any) => Promise<void>>} */
export async function keepOwn(form, body) {
  const { id, side } = battle.dataset, request = body.get("key"), orders = (body.get("orders") ?? "").replaceAll("\r\n", "\n");
  const isOrder = orders.trim() !== "", [n, hash] = (body.get("seen") ?? "").split(" ");
  const typed = isScripted(orders), last = (/** @type {string} */ name) => body.getAll(name).findLast((/** @type {string} */ value) => value) ?? "";
  const words = {
    battle: id, side, request, isOrder, seen: { n: Number(n), hash },
    texts: isOrder && !typed ? await textsOf(orders, id, side) : {},
    phrase: typed || battle.dataset.anchor ? "" : last("phrase").trim().normalize("NFC"),
    seal: typed || !battle.dataset.anchor ? "" : sealFromText(last("seal")),
    signatures: body.getAll("signature").map((/** @type {string} */ one) => [Number(one.split(" ")[0]), one.split(" ")[1]]),
    accepted: null, by: 0,
  };
  await keepWords(words);
  return async (answer, fresh) => {
    const there = fresh.getElementById("battle"), by = Number(there?.dataset.n ?? 0);
    if (answer.redirected && there && !isParked(fresh, orders)) await answered(id, side, request, isOrder && Object.keys(words.texts).length ? 1 : 0, by);
    else if (answer.status >= 400 && answer.status < 500) await answered(id, side, request, REFUSED, by);
  };
}

// Lines that wait for the other side stand in no log yet.
/** @type {(fresh: any, orders: string) => boolean} */
function isParked(fresh, orders) {
  const parked = [...fresh.querySelectorAll("#kept [data-parked] code")].map((line) => plainly(line.textContent));
  return orders.split("\n").some((line) => parked.includes(plainly(line)));
}

/** @type {(orders: string) => boolean} */
function isScripted(orders) {
  return orders.split("\n").some((line) => SCRIPTED.test(line.trim()));
}

// Lines as the log will have them, by number: those that the page itself has offered stand as they are; for others the server says
// before they are sent how it reads them.
/** @type {(orders: string, id: string, side: string) => Promise<Record<number, string>>} */
async function textsOf(orders, id, side) {
  const lines = orders.split("\n").map((line, at) => ({ number: at + 1, text: plainly(line) })).filter(({ text }) => text);
  const offered = new Set([...document.querySelectorAll("button[name=pick], button[name=end], select option")].map(({ value }) => plainly(value)));
  for (const known of ["end turn", "offer draw", "resign"]) offered.add(known);
  if (lines.every(({ text }) => offered.has(text))) return Object.fromEntries(lines.map(({ number, text }) => [number, text]));
  const options = { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams({ side, orders }) };
  const answer = await fetch(`${ROOT}battles/${id}/lines`, options).catch(() => null), texts = answer?.ok ? (await answer.json()).texts : [];
  return texts.length === lines.length ? Object.fromEntries(lines.map(({ number }, at) => [number, texts[at]])) : {};
}
