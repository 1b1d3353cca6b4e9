// That nothing was done which the host may not do alone, and a list of what was done so. As `replay/proof/authority.py`: a
// rewind, a ruling, a substitute or other rules each need somebody's word in the log, and what an order settles is what its
// line says, and nothing else.

import { NO_WORDS, linesOf, wordsOf } from "./dispute_lines.js";
import { DISPUTES, SETTLEMENTS, factsOf } from "./proof_blocks.js";
import { CAMPAIGN } from "./proof_clock.js";
import { Fault } from "./proof_lines.js";
import { Substitutions } from "./proof_substitutions.js";
import { CORE_TYPES } from "./proof_tables.js";

const BY_CLOCK = ["deadline", "vacation-over"]; // what hangs on the host's clock alone
const UMPIRE = "umpire", AGREED = "agreed", TAKEBACK = "takeback", SUBSTITUTE = "substitute", END = "BattleEnded";
const WITHDRAWN = "DecisionWithdrawn"; // stands under a correction alone
const BEHIND_A_CORRECTION = ["TurnEnded", "TurnBegan"];
const AWARD = "award ", DRAW = "draw", LOST = "lost";

/** @type {(type: string) => boolean} */
const isOfDisputes = (type) => SETTLEMENTS.has(type) || DISPUTES.has(type);

export class Authority {
  /** @type {SettledAct[]} */
  listed = [];
  /** @type {import("./proof_seats.js").ProvenSeats} */
  #seats;
  /** @type {RegExp[]} */
  #lines;
  #rules;
  /** @type {import("./proof_office.js").Office} */
  #office;
  /** @type {Map<string, Map<string, Said>>} */
  #offers = new Map(); // by docket and seat
  /** @type {Substitutions} */
  #substitutions;
  /** @type {Set<string>} */
  #decided = new Set(); // the dockets that are agreed or ruled
  /** @type {{ n: number, side: string, to: number }[]} */
  #orders = []; // of the game, and what a take-back goes back to
  #broughtAt = 0; // the contribution of the block before, if it brings an order
  // --- of the present block
  #takeback = "";
  /** @type {Map<string, { remedy: string, authority: string }>} */
  #granted = new Map(); // by docket
  /** @type {Set<string>} */
  #awarded = new Set();
  /** @type {Set<string>} */
  #ruledOn = new Set();
  #isRewound = false;
  /** @type {Set<string>} */
  #facts = new Set();
  #isCalledOff = false; // by its campaign: `proof_clock.js` checks how
  #order = ""; // whose order it is
  #words = NO_WORDS; // what it says
  /** @type {number | null} */
  #seen = null; // the head that it quotes
  /** @type {LogBlock} */
  #block = [];

  // `rules` is the version that the header names.
  /**
   * @param {import("./proof_seats.js").ProvenSeats} seats
   * @param {string} rules
   * @param {import("./proof_clock.js").Silence} silence
   * @param {import("./proof_office.js").Office} office
   */
  constructor(seats, rules, silence, office) {
    this.#office = office;
    this.#seats = seats;
    this.#rules = rules;
    this.#substitutions = new Substitutions(seats, silence, office);
    this.#lines = linesOf(seats.names);
  }

  soFar() {
    const own = { rules: this.#rules, broughtAt: this.#broughtAt, offers: this.#offers, decided: this.#decided };
    return { ...structuredClone(own), orders: [...this.#orders], listed: [...this.listed], substitutions: this.#substitutions.soFar() };
  }

  /** @type {(kept: any) => void} */
  resume({ orders, listed, substitutions, ...own }) {
    ({ rules: this.#rules, broughtAt: this.#broughtAt, offers: this.#offers, decided: this.#decided } = structuredClone(own));
    this.#orders = [...orders];
    this.listed = [...listed];
    this.#substitutions.resume(substitutions);
  }

  /** @type {(block: LogBlock) => void} */
  blockBegan(block) {
    const [{ n, type, data }] = block, isOrder = type === "OrderAccepted";
    this.#granted = new Map();
    this.#awarded = new Set();
    this.#ruledOn = new Set();
    this.#isRewound = false;
    this.#facts = new Set();
    this.#takeback = "";
    this.#block = block;
    this.#isCalledOff = type === "ClockFired" && data.what === CAMPAIGN;
    this.#order = isOrder ? data.side : "";
    this.#words = isOrder ? wordsOf(data.text, this.#lines) : NO_WORDS;
    this.#seen = isOrder ? data.seen?.n ?? null : null;
    this.#requireNothingElse();
    if (isOrder && !factsOf(block).some((event) => isOfDisputes(event.type))) {
      this.#orders.push({ n, side: this.#order, to: (this.#broughtAt || n) - 1 });
    }
    this.#broughtAt = type === "ContributionGiven" && data.channel === undefined ? n : 0;
  }

  // Check one event of the present block.
  /** @type {(event: LogEvent) => void} */
  check({ n, type, by, data }) {
    if (by === UMPIRE && this.#order !== UMPIRE) throw new Fault(n, "no-umpire");
    if (isOfDisputes(type) && ![this.#order || "server", "server"].includes(by)) throw new Fault(n, "other-author");
    if (DISPUTES.has(type)) this.#require(n, this.#isBy(...this.#seats.names, UMPIRE));
    this.#require(n, type !== WITHDRAWN);
    if (this.#isCalledOff) return;
    const check = Object.hasOwn(CHECKS, type) ? CHECKS[type] : null;
    if (check) {
      const fact = `${type} ${data.docket ?? ""}`;
      this.#require(n, !this.#facts.has(fact));
      this.#facts.add(fact);
      check.call(this, n, data);
    } else if (type === END && this.#facts.size) {
      const winners = new Set([...[...this.#granted.values()].map(({ remedy }) => awardedBy(remedy)), ...this.#awarded]);
      this.#require(n, winners.has(data.winner));
    }
  }

  // What is of disputes stands in an order's block, and nothing of the game beside it.
  #requireNothingElse() {
    if (this.#isCalledOff) return;
    const facts = factsOf(this.#block), isFirst = this.#block[0].n === 1;
    const settling = facts.filter(({ type }) => isOfDisputes(type) && !(isFirst && type === "UmpireNamed"));
    if (!settling.length) return;
    let isCorrected = false;
    for (const event of this.#order ? facts : settling) {
      const { n, type } = event, isEnd = type === END && event === facts[facts.length - 1];
      const isFit = isOfDisputes(type) || (isCorrected && BEHIND_A_CORRECTION.includes(type)) || isEnd;
      if (!this.#order || !isFit) throw new Fault(n, "mixed-settlement");
      isCorrected ||= type === "Corrected";
    }
  }

  // --- inputs

  // A substitute needs the word of the others (`proof_substitutions.js`); nobody who is or was umpire holds a seat.
  /** @type {(n: number, data: any) => void} */
  joined(n, data) {
    if (this.#office.was(data.player)) throw new Fault(n, "umpire-plays");
    const isBegun = !!this.#seats.began, { what, how } = this.#substitutions.joined(n, data);
    if (isBegun) this.#list(n, what, data.side, how, data.player);
  }

  // After the start a seat is given back in its player's name: by their signed line, or by the host's word.
  /** @type {(n: number, data: any, at: string) => void} */
  left(n, data, at) {
    const isOwn = this.#substitutions.left(n, data, at);
    if (this.#seats.began) this.#list(n, isOwn ? "own-left" : "left", data.side, isOwn ? "own" : "host", data.reason);
  }

  /** @type {(n: number, data: any) => void} */
  rulesChanged(n, { from, to }) {
    if (from !== this.#rules) throw new Fault(n, "rules-not-in-force");
    this.#rules = to;
    this.#list(n, "rules", "server", "ordering-on", to);
  }

  /** @type {(n: number, data: any) => void} */
  stopped(n, { how, reason }) {
    if (!["stopped", "cancelled"].includes(how) || (how === "cancelled" && this.#seats.began)) throw new Fault(n, "bad-member");
    const [fact] = factsOf(this.#block);
    if (fact) throw new Fault(fact.n, "after-the-stop");
    this.#list(n, how, "server", "host", reason);
  }

  /** @type {(n: number) => void} */
  keyChanged(n) {
    this.#list(n, "key", "server", "old-key");
  }

  // By a player's own signed line, by the host's word that a player asks for it, or by the host's clock alone.
  /** @type {(n: number, data: any) => void} */
  clockFired(n, { what, side, serial, text = "" }) {
    if (what === CAMPAIGN) this.#list(n, "called-off", "server", "host", factsOf(this.#block)[0].data.ruling);
    else if (serial !== undefined) this.#list(n, `own-${what}`, side, "own", text);
    else this.#list(n, `clock-${what}`, side, BY_CLOCK.includes(what) ? "clock" : "host");
  }

  /** @type {(n: number, side: string) => void} */
  newBook(n, side) {
    this.#list(n, "book", side, "own");
  }

  // --- facts

  /** @type {(n: number, isRight: boolean) => void} */
  #require(n, isRight) {
    if (!isRight) throw new Fault(n, "no-authority");
  }

  /** @type {(...sides: string[]) => boolean} */
  #isBy(...sides) {
    return sides.includes(this.#order);
  }

  // Whether the order of the present block says this, and nothing else.
  /** @type {(verb: string, members?: Partial<import("./dispute_lines.js").DisputeWords>) => boolean} */
  #says(verb, members = {}) {
    const said = { ...NO_WORDS, verb, ...members };
    return Object.entries(this.#words).every(([name, value]) => value === said[/** @type {keyof typeof said} */ (name)]);
  }

  // Whether this is what another seat has said, where the player who agrees could see it.
  /** @type {(said: Said | null, what: string) => boolean} */
  #agreesTo(said, what) {
    return !!said && said.what === what && (this.#seen === null || said.n <= this.#seen);
  }

  // What the seats beside that of the order have said, the newest of it.
  /** @type {(said: Map<string, Said> | undefined) => Said | null} */
  #newestOfOthers(said) {
    const others = [...(said ?? [])].filter(([side]) => side !== this.#order).map(([, one]) => one);
    return others.reduce((/** @type {Said | null} */ newest, one) => (newest && newest.n >= one.n ? newest : one), null);
  }

  // Whether the order of the present block wants this umpire, with this key.
  /** @type {(player: string, signer: string) => boolean} */
  #wants(player, signer) {
    return this.#says("umpire", { player, signer }) || (this.#says("agree umpire") && this.#office.isNewest(player, signer, this.#order, this.#seen));
  }

  // A docket says what its line says. A take-back is about the last order of its side that counts, and goes back to before
  // it.
  /** @type {(n: number, data: any) => void} */
  raised(n, { docket, side, about, remedy, text, kind }) {
    this.#require(n, this.#isBy(side));
    if (this.#words.verb !== TAKEBACK) {
      this.#require(n, this.#says("dispute", { about, kind, text }) && !remedy);
      return;
    }
    const last = this.#orders.findLast((order) => order.side === side);
    const isRight = !!last && about === last.n && remedy === `rewind ${last.to}`;
    this.#require(n, this.#says(TAKEBACK, { text }) && kind === TAKEBACK && isRight && this.#seats.names.includes(side));
    this.#takeback = `${docket} ${remedy}`;
  }

  /** @type {(n: number, data: any) => void} */
  answered(n, { by, docket, text, halt }) {
    const says = halt === undefined ? this.#says("answer", { docket, text }) : this.#says(halt ? "halt" : "go on", { docket }) && !text;
    this.#require(n, by === this.#order && says);
    if (by === UMPIRE && this.#office.hasKeys) this.#list(n, "umpire-said", this.#office.umpire, UMPIRE, docket);
  }

  /** @type {(n: number, data: any) => void} */
  proposes(n, data) {
    this.#require(n, this.#isBy(...this.#seats.names) && this.#order === data.side && this.#wants(data.player, data.signer ?? ""));
    this.#office.proposes(n, data);
  }

  /** @type {(n: number, data: any) => void} */
  named(n, data) {
    const { player, name, how, signer = "" } = data;
    if (how === "opening") this.#require(n, this.#block[0].n === 1 && !this.#office.umpire);
    else {
      const isAgreed = this.#office.isAgreed(player, signer) && this.#wants(player, signer);
      this.#require(n, this.#isBy(...this.#seats.names) && how === "agreement" && isAgreed);
    }
    this.#office.named(n, data);
    this.#substitutions.umpireNamed();
    this.#list(n, "umpire", player, how, name);
  }

  /** @type {(n: number, data: any) => void} */
  agrees(n, data) {
    const { side, player, seat = "", silent } = data;
    this.#require(n, this.#isBy(side) && this.#says(SUBSTITUTE, { side: seat, player }) && silent !== false);
    this.#substitutions.agreed(n, data, this.#block[0].at);
  }

  /** @type {(n: number, data: any) => void} */
  offers(n, { docket, side, remedy, text }) {
    const agrees = this.#says("agree", { docket }) && !text, takesBack = this.#takeback === `${docket} ${remedy}` && !text;
    const offers = this.#offers.get(docket) ?? new Map();
    const isSaid = this.#says("offer", { docket, remedy, text }) || takesBack || (agrees && this.#agreesTo(this.#newestOfOthers(offers), remedy));
    this.#require(n, this.#isBy(...this.#seats.names) && this.#order === side && isSaid);
    this.#offers.set(docket, offers.set(side, { what: remedy, n }));
  }

  // A docket is closed: what was offered for it is spent, and holds only if all have offered the same.
  /** @type {(n: number, data: any) => void} */
  settled(n, { docket, how }) {
    const offers = this.#offers.get(docket) ?? new Map(), isBySeat = this.#isBy(...this.#seats.names);
    this.#offers.delete(docket);
    if (how === AGREED) {
      this.#settledByAll(n, docket, offers);
      return;
    }
    /** @type {Record<string, boolean>} */
    const isRight = {
      withdrawn: isBySeat && this.#says("withdraw", { docket }),
      declined: isBySeat && this.#says("decline", { docket }),
      lapsed: this.#isRewound,
      ruled: this.#ruledOn.has(docket),
    };
    this.#require(n, Object.hasOwn(isRight, how) && isRight[how]);
    this.#list(n, "settled", this.#order, how, docket);
  }

  /** @type {(n: number, docket: string, offers: Map<string, Said>) => void} */
  #settledByAll(n, docket, offers) {
    const remedy = offers.get(this.#order)?.what ?? "", words = this.#words;
    const agrees = this.#says("agree", { docket }) && this.#agreesTo(this.#newestOfOthers(offers), remedy);
    const repeats = words.verb === "offer" && words.docket === docket && words.remedy === remedy;
    const isEqual = this.#seats.names.every((side) => offers.get(side)?.what === remedy), isNew = !this.#decided.has(docket);
    this.#require(n, this.#isBy(...this.#seats.names) && isNew && isEqual && (agrees || repeats));
    this.#decided.add(docket);
    this.#granted.set(docket, { remedy, authority: AGREED });
    this.#list(n, "settled", "server", AGREED, `${docket}: ${remedy}`);
  }

  /** @type {(n: number, data: any) => void} */
  ruled(n, { docket, effect, ruling }) {
    const rules = this.#says("rule", { docket, remedy: effect, text: ruling });
    this.#require(n, this.#isBy(UMPIRE) && rules && !this.#decided.has(docket));
    this.#decided.add(docket);
    this.#ruledOn.add(docket);
    this.#granted.set(docket, { remedy: effect, authority: UMPIRE });
    this.#list(n, "ruling", this.#office.umpire, UMPIRE, `${docket}: ${effect}`);
  }

  // A ruling on a fallen flag. One that ends the battle does so at once.
  /** @type {(n: number, data: any) => void} */
  ruledOnFlag(n, { side, effect, ruling }) {
    const says = this.#says("flag", { side, remedy: effect, text: ruling }), ends = [LOST, DRAW].includes(effect);
    const facts = factsOf(this.#block), after = facts.filter((event) => event.n > n).map((event) => event.type);
    this.#require(n, this.#isBy(UMPIRE) && says && facts[0].n === n && after.join() === (ends ? END : ""));
    if (ends) {
      const others = this.#seats.others(side);
      this.#require(n, effect === DRAW || others.length === 1);
      this.#awarded = new Set([effect === LOST ? others[0].side : ""]);
    }
    this.#list(n, "flag", side, UMPIRE, effect);
  }

  /** @type {(n: number, data: any) => void} */
  rewound(n, { docket, to }) {
    this.#carriedOut(n, "rewound", docket, `rewind ${to}`);
    this.#isRewound = true;
    while (this.#orders.length && this.#orders[this.#orders.length - 1].n > to) this.#orders.pop();
  }

  /** @type {(n: number, data: any) => void} */
  corrected(n, { docket, facts }) {
    this.#carriedOut(n, "corrected", docket, "correct");
    for (const [name = ""] of facts) {
      const type = typeof name === "string" ? name.split("@")[0] : null;
      if (type === null || (type !== WITHDRAWN && Object.hasOwn(CORE_TYPES, type))) throw new Fault(n, "not-correctable");
    }
  }

  /** @type {(n: number, what: string, docket: string, remedy: string) => void} */
  #carriedOut(n, what, docket, remedy) {
    const granted = this.#granted.get(docket) ?? { remedy: "", authority: "" };
    this.#granted.delete(docket);
    this.#require(n, granted.remedy === remedy);
    this.#list(n, what, "server", granted.authority, `${docket}: ${remedy}`);
  }

  /** @type {(n: number, what: string, who: string, authority: string, about?: string) => void} */
  #list(n, what, who, authority, about = "") {
    const isUnsigned = [authority, this.#order].includes(UMPIRE) && !this.#office.key;
    this.listed.push({ n, what, who, authority, about, isUnsigned, signer: what === UMPIRE ? this.#office.key : null });
  }
}

/** @type {Record<string, (this: Authority, n: number, data: any) => void>} */
const CHECKS = {
  DisputeRaised: Authority.prototype.raised,
  DisputeAnswered: Authority.prototype.answered,
  UmpireProposed: Authority.prototype.proposes,
  UmpireNamed: Authority.prototype.named,
  SubstituteAgreed: Authority.prototype.agrees,
  RemedyOffered: Authority.prototype.offers,
  DisputeSettled: Authority.prototype.settled,
  RulingGiven: Authority.prototype.ruled,
  FlagRuled: Authority.prototype.ruledOnFlag,
  Rewound: Authority.prototype.rewound,
  Corrected: Authority.prototype.corrected,
};

// Who has won by a remedy, "" for a draw; null if it ends no battle.
/** @type {(remedy: string) => string | null} */
function awardedBy(remedy) {
  if (remedy.startsWith(AWARD)) return remedy.slice(AWARD.length);
  return remedy === DRAW ? "" : null;
}
