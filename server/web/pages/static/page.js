// What the pages can do beyond forms and links: picking, sending, and showing what happens as it happens.
// Everything shown comes from the same pages that work without this script; it only saves reloading them.
import { start as startAway, take as takeAway } from "./away.js";
import { drawGhosts, prepare, start as startBoard } from "./board.js";
import { showBook, start as startBook } from "./book_part.js";
import { carrySeat } from "./carrying.js";
import { canGive, offer, start as startChance } from "./chance.js";
import { start as startCopying } from "./copying.js";
import { giveBack, placeOfFocus, start as startFocus } from "./focus.js";
import { keep, kept } from "./keeping.js";
import { once } from "./loading.js";
import { start as startLog } from "./log.js";
import { places, slide } from "./motion.js";
import { isLeaving, oneByOne } from "./one_by_one.js";
import { looksBack, start as startReplay, wentOn } from "./replay.js";
import { bodyOf, buttonOf, forgetAsked, isPreview, isProposal, keepOrders, sendsNothing, showKey, takeOrders } from "./sending.js";
import { heard, start as startTalk, take as takeTalk } from "./talk.js";
import { add as addLine, hold, isEmpty, release, stampNow, start as startTray, takeAnswer as takeLines, takeDraft, tell } from "./tray.js";
import { showLocal } from "./times.js";
import { start as startTurning } from "./turning.js";
import { keepTyped } from "./typed.js";
import { say } from "./words.js";
import { start as startZoom } from "./zoom.js";

const ROOT = new URL("..", import.meta.url).pathname; // this script is in `static/` of the server
const RETRY_MS = 3000; // a stream that the server refused is tried again
const MOST_WAIT_MS = 60000; // between two tries to have a page that the server would not give
const GATHER_MS = 120; // events that come together are shown together
const watching = once(() => import("./watching.js")); // who holds a seat checks what the server adds
const dossiers = once(() => import("./dossiers.js")); // cards and fields of units, and the legend: when somebody first turns to one
const leaving = once(() => import("./leaving.js"));
const SAID_FIRST = 6, SAID_LAST = 6; // sentences read aloud after one update: what our orders did, and whose turn it is now

document.documentElement.classList.add("scripted");
showLocal(document);
startChance();
startCopying();
document.addEventListener("submit", forgetKept);
startWanted();
if (document.querySelector("#keep-offline, #kept-battles") || matchMedia("(display-mode: standalone)").matches) {
  import("./offline.js").then(({ start }) => start()).catch(() => {}); // without it the site works as before
}

// Tones, calls and table mode are fetched for whoever has turned them on, or presses their button.
function startWanted() {
  const wanted = { sound: () => import("./sound.js"), calls: () => import("./calls.js"), table: () => import("./at_table.js") };
  for (const [name, load] of Object.entries(wanted)) {
    const button = document.getElementById(name);
    if (!button) continue;
    if (kept(`phalera:${name}`)) load().catch(() => {});
    button.addEventListener("click", () => load().then(({ toggle }) => toggle()).catch(() => {}));
  }
}

// Another reader may come after who logs out: what this device keeps of battles goes with them.
/** @type {(event: any) => void} */
function forgetKept(event) {
  const form = event.target, path = new URL(form.action).pathname;
  if (path !== `${ROOT}logout` || form.method !== "post") return;
  event.preventDefault();
  window.caches?.delete("phalera-kept");
  leaving().then(({ leave }) => leave(form), () => form.submit());
}

// --- a battle

const battle = document.getElementById("battle");
const LOOKS = { click: "[data-layer], [data-closes], #board [data-unit]", focusin: "#board [data-stop]", keydown: "#board", toggle: "#legend" };
let since = battle?.dataset.n; // what has happened after this event is told beside the board
if (battle) begin();

function begin() {
  if (isWatched()) startWatching();
  battle.addEventListener("submit", onSubmit);
  battle.addEventListener("click", onClick);
  document.addEventListener("keydown", onKey);
  startBoard();
  startFocus();
  startTurning();
  for (const [kind, where] of Object.entries(LOOKS)) battle.addEventListener(kind, (/** @type {any} */ event) => look(event, where), kind === "toggle");
  startZoom();
  startTray(drawGhosts);
  startLog();
  startAway();
  startReplay(() => update().catch(() => location.reload()));
  startBook();
  startTalk();
  document.getElementById("note")?.addEventListener("focus", startNotes, { once: true });
  showBook();
  showKey();
  giveContribution();
  carrySeat();
  checkHead();
  if (battle.dataset.live) follow(battle.dataset.live, Number(battle.dataset.n));
}

// Few write notes: what keeps them is fetched for those.
function startNotes() {
  import("./own_notes.js").then(({ start }) => start()).catch(() => {});
}

function isWatched() {
  return !!(document.getElementById("watch") && window.crypto?.subtle && window.Worker);
}

// Nothing goes into the log before all that the page shows of it was checked; without that script the page is as before.
function startWatching() {
  /** @type {typeof import("./watching.js") | null | undefined} */
  let them; // null: it did not come
  const coming = watching().then((loaded) => { (them = loaded).start(); }, () => { them = null; });
  battle.addEventListener("submit", (/** @type {any} */ event) => {
    const form = event.target;
    if (!form.elements.seen || form.dataset.sending || sendsNothing(event.submitter) || them === null || them?.isClear()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    form.dataset.held = ""; // nothing newer takes its place while it waits
    const pressed = buttonOf(form, event.submitter);
    keepOrders(form);
    coming.then(() => {
      if (them) return them.whenClear(form, pressed);
      delete form.dataset.held;
      return form.requestSubmit(pressed);
    });
  }, true);
}

/** @type {(event: any, where: string) => void} */
function look(event, where) {
  if (event.target.closest(where)) dossiers().then((them) => them.look(event)).catch(() => {});
}

/** @type {(event: any) => void} */
function onClick(event) {
  if (event.target.closest("[data-check-proof]")) checkProof();
  const pick = event.target.closest("button[name=pick]");
  if (pick) {
    event.preventDefault();
    addLine(pick.value);
    return;
  }
  const menu = event.target.closest("button[name=choose]");
  if (!menu) return;
  event.preventDefault();
  addLine(document.getElementById(menu.value).value);
}

async function checkProof() {
  const { run } = await import("./proof_part.js").catch(() => ({ run: null }));
  if (run) run();
  else for (const told of document.querySelectorAll("[data-proof-told]")) told.textContent = say("unreachable");
}

/** @type {(event: any) => void} */
function onKey(event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.closest("#board, #order-form, #tray")) {
    event.preventDefault(); // no deed of the part that has the focus
    document.querySelector("#tray [value=send]")?.click();
  }
}

// --- sending

/** @type {(event: any) => Promise<void>} */
async function onSubmit(event) {
  const form = event.target;
  if (form.id !== "order-form" && form.id !== "contribution") return;
  event.preventDefault();
  if (form.dataset.sending) return;
  const isOrder = form.id === "order-form", pressed = buttonOf(form, event.submitter), orders = takeOrders(form);
  if (isOrder && pressed?.name === "do" && !isProposal(pressed) && isEmpty(orders)) {
    tell(say("empty"));
    return;
  }
  form.dataset.sending = "yes";
  const buttons = isOrder ? document.querySelectorAll("#tray .buttons button") : form.querySelectorAll("button");
  for (const button of buttons) button.setAttribute("aria-disabled", "true"); // a disabled one would lose the focus
  try {
    if (isOrder) await hold();
    await oneByOne(() => sent(form, pressed, orders));
  } catch (failure) {
    const words = failure instanceof Error && !(failure instanceof TypeError) ? failure.message : say("unreachable");
    const told = document.createElement("p");
    told.textContent = words;
    document.getElementById("answer")?.replaceChildren(told);
  }
  if (isOrder) release();
  delete form.dataset.sending;
  for (const button of document.querySelectorAll("[aria-disabled]")) button.removeAttribute("aria-disabled");
}

/** @type {(form: any, pressed: any, orders: string) => Promise<void>} */
async function sent(form, pressed, orders) {
  if (form.elements.seen) form.elements.seen.value = battle.dataset.seen; // it may have waited
  const isOrder = form.id === "order-form", before = battle.dataset.n, body = await bodyOf(form, pressed, orders);
  const answered = sendsNothing(pressed) ? null : await keepOwn(form, body);
  const answer = await fetch(form.action, { method: "POST", body });
  const fresh = parsed(await answer.text());
  await answered?.(answer, fresh);
  if (!sendsNothing(pressed) && answer.status < 500) await forgetAsked(form);
  if (!fresh.getElementById("battle")) throw new Error(fresh.querySelector("main")?.innerText);
  if (isOrder && !sendsNothing(pressed)) since = before;
  const focused = placeOfFocus();
  show(fresh);
  if (isOrder) takeAnswer(fresh, sentIn(body), isPreview(pressed));
  giveBack(focused);
}

// What a form is about to send is kept, to be compared with the log; gives what keeps the answer.
/** @type {(form: any, body: any) => Promise<((answer: any, fresh: any) => Promise<void>) | null> | null} */
function keepOwn(form, body) {
  return isWatched() ? watching().then((them) => them.keepOwn(form, body)).catch(() => null) : null;
}

// The orders as they were sent: those that are signed were put into other words first.
/** @type {(body: any) => string} */
function sentIn(body) {
  return (body.get("orders") ?? "").replaceAll("\r\n", "\n");
}

// The answer to our own orders also changes what an update from outside leaves alone: box, key, answer.
/** @type {(fresh: any, sent: string, isTried: boolean) => void} */
function takeAnswer(fresh, sent, isTried) {
  const left = fresh.getElementById("orders");
  if (left && !isTried) takeLines(sent, left.value);
  const stamp = document.getElementById("stamp"), next = fresh.getElementById("stamp");
  if (stamp && next) {
    stamp.replaceWith(next);
    expectAtLeast(Number(battle.dataset.n));
  }
  const answer = document.getElementById("answer"), said = fresh.getElementById("answer");
  if (answer && said) answer.replaceChildren(...said.childNodes);
  document.getElementById("told")?.replaceChildren();
}

async function giveContribution() {
  const form = document.querySelector("form[data-auto]");
  if (!form || form.dataset.given) return;
  form.dataset.given = "yes";
  if (await canGive(form)) form.requestSubmit();
}

// --- showing a newer page without losing the place in this one

const REGIONS = ["status", "lesson", "end", "board", "steps", "branching", "text", "sides", "time", "free", "chance", "share", "hint", "kept", "picks", "returned", "onward", "head", "receipt"];

/** @type {(text: string) => any} */
function parsed(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  showLocal(fresh);
  return fresh;
}

/** @type {(fresh: any, stamp?: number) => void} */
function show(fresh, stamp = -1) {
  if (looksBack()) return; // a step was taken meanwhile: what is new waits
  const newer = fresh.getElementById("battle"), n = Number(newer.dataset.n);
  if (n < Number(battle.dataset.n)) return;
  if (!document.getElementById("order-form") !== !fresh.getElementById("order-form")) {
    if (!isLeaving()) location.reload(); // a side was taken, or the battle is over: another page altogether
    return;
  }
  const focused = placeOfFocus();
  document.title = fresh.title;
  const open = new Map(Array.from(document.querySelectorAll("details[id]"), (part) => [part.id, part.open]));
  const stood = places();
  for (const id of REGIONS) replace(id, fresh);
  slide(stood);
  for (const part of document.querySelectorAll("details[id]")) if (open.get(part.id)) part.open = true;
  expectAtLeast(n);
  for (const field of document.querySelectorAll("[name=seen]")) if (!field.closest("[data-held]")) field.value = newer.dataset.seen;
  const added = weave(document.getElementById("story"), fresh.getElementById("story"));
  announce(added);
  battle.dataset.n = n;
  battle.dataset.seen = newer.dataset.seen;
  battle.dataset.t = newer.dataset.t;
  battle.dataset.anchor = newer.dataset.anchor;
  battle.dataset.serial = newer.dataset.serial;
  checkHead();
  showKey();
  offer();
  takeTalk(fresh);
  takeResult(fresh);
  takeAway(fresh);
  wentOn(n);
  const draft = fresh.getElementById("orders");
  if (draft) takeDraft(draft.value, stamp);
  prepare();
  showBook();
  giveBack(focused);
  giveContribution();
  battle.dispatchEvent(new CustomEvent("renewed", { detail: added }));
}

// Orders are meant for the newest event that the page has shown: an answer may come behind what the stream told first.
/** @type {(n: number) => void} */
function expectAtLeast(n) {
  const expect = document.querySelector("#stamp [name=expect]");
  if (expect) expect.value = Math.max(n, Number(expect.value));
}

// What came of it stays until there is more to tell.
/** @type {(fresh: any) => void} */
function takeResult(fresh) {
  const next = fresh.getElementById("result");
  if (!next || next.hidden) return;
  replace("result", fresh);
  const told = document.getElementById("result"), newest = told.querySelector("ol > li:last-child");
  told.scrollTop = (newest?.offsetTop ?? 0) - told.querySelector("ol").offsetTop; // from the order that was played last
}

/** @type {(id: string, fresh: any) => void} */
function replace(id, fresh) {
  const old = document.getElementById(id), next = fresh.getElementById(id);
  if (!old || !next || old.outerHTML === next.outerHTML) return;
  if (id === "free" && old.contains(document.activeElement)) return; // somebody types their name there
  if (old.querySelector("form[data-held]")) return; // it is being sent
  keepTyped(old, next);
  old.replaceWith(next);
}

// Bring a list of parts with ids up to date; parts that stay are not touched. Gives the parts that are new.
/** @type {(old: any, fresh: any) => any[]} */
function weave(old, fresh) {
  /** @type {any[]} */
  const added = [];
  const wanted = new Set(Array.from(fresh.children, (part) => part.id));
  for (const part of [...old.children]) if (!wanted.has(part.id)) part.remove();
  let place = old.firstElementChild;
  for (const part of [...fresh.children]) {
    const known = place && place.id === part.id ? place : null;
    if (!known) {
      old.insertBefore(part, place);
      added.push(part);
      continue;
    }
    place = known.nextElementSibling;
    if ("keyed" in known.dataset) added.push(...weave(known, part));
    else if (known.textContent !== part.textContent) known.replaceWith(part);
  }
  return added;
}

// Say what is new, in the order in which it happened: the page shows the newest first.
/** @type {(added: any[]) => void} */
function announce(added) {
  const lines = added.flatMap((part) => [...part.querySelectorAll("h3, [id^=event-]")]);
  for (const part of added) part.classList.add("fresh");
  const number = (/** @type {any} */ line) => Number(line.id.replace(/\D+/g, ""));
  lines.sort((one, other) => number(one) - number(other));
  const told = [...lines.slice(0, SAID_FIRST), ...lines.slice(SAID_FIRST).slice(-SAID_LAST)]; // the others stand in the log
  if (!told.length) return; // what was said last stays until there is more to say
  const news = document.getElementById("news");
  news.replaceChildren(...told.map((line) => {
    const said = document.createElement("p");
    said.textContent = (line.querySelector(".said") ?? line).textContent;
    return said;
  }));
}

// --- one history: the newest head that this browser was shown must still stand in the log

async function checkHead() {
  const { id, seen } = battle.dataset, key = `phalera:head:${id}`;
  const before = kept(key);
  if (!seen || before === seen) return;
  if (before) {
    const [n, hash] = before.split(" ");
    const answer = await fetch(`${ROOT}api/v1/battles/${id}/events?after=${Number(n) - 1}&limit=1`).catch(() => null);
    if (!answer?.ok) return;
    const line = (await answer.text()).split("\n")[0];
    if (!line || JSON.parse(line).hash !== hash) {
      document.getElementById("forked").hidden = false;
      return; // the older head is the evidence: it stays
    }
  }
  keep(key, seen);
}

// --- following the battle

// Show the page as it is now; gives how long to wait (ms) where the server would not give it, 0 if it did.
// Raises: what the browser does where the server is not reached
async function update() {
  const here = new URL(location.href);
  here.searchParams.set("since", since);
  const stamp = stampNow();
  const answer = await fetch(here, { headers: { Accept: "text/html" } });
  if (!answer.ok) return Math.max(RETRY_MS, 1000 * Number(answer.headers.get("Retry-After")) || 0);
  show(parsed(await answer.text()), stamp);
  return 0;
}

/** @type {(address: string, after: number) => void} */
function follow(address, after) {
  /** @type {any} */
  let source;
  let gathering, last = after, tries = 0;
  const lost = document.getElementById("lost");

  async function catchUp() {
    gathering = undefined;
    let wait = RETRY_MS;
    try {
      if (looksBack()) wentOn(last); // the page shows what is new when its reader comes back
      wait = looksBack() ? 0 : await update();
    } catch {} // the stream will notice, too
    tries = wait ? tries + 1 : 0;
    lost.hidden = !tries && source.readyState === EventSource.OPEN; // what is shown may be out of date
    if (tries) gathering ??= setTimeout(catchUp, Math.min(wait * tries, MOST_WAIT_MS) * (1 + Math.random() / 2)); // not all of a crowd at once
  }

  function connect() {
    source = new EventSource(`${address}?after=${last}`);
    source.onopen = () => {
      if (!lost.hidden) gathering ??= setTimeout(catchUp, GATHER_MS);
      lost.hidden = true;
    };
    source.onmessage = (/** @type {any} */ event) => {
      last = Number(event.lastEventId) || last;
      if (last > Number(battle.dataset.n)) gathering ??= setTimeout(catchUp, GATHER_MS);
    };
    for (const kind of ["words", "spectators"]) source.addEventListener(kind, heard);
    source.onerror = () => {
      lost.hidden = false;
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_MS);
    };
  }

  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (/** @type {any} */ event) => { if (event.persisted) connect(); });
  connect();
}
