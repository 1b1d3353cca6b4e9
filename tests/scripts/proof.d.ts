// What the modules of the proof (server/web/pages/static/proof*.js) hand to each other. The data of an event may be anything:
// it comes from a file that somebody claims to be a log.

interface LogHeader {
  battle: string;
  created: string;
  format: string;
  host: string;
  key: string;
  rules: string;
  ruleset: string;
  version: number;
}

interface LogEvent {
  n: number;
  at: string;
  by: string;
  rule: string;
  type: string;
  data: any; // in the shape of its type, once it has been read in that
  raw?: any; // as it stands
}

// An input and what followed from it.
type LogBlock = LogEvent[];

// When an event happens: `index` counts the periods, `t` the player-turns that count.
interface LogMoment {
  index: number;
  t: number;
  mover: string;
  rewinds: number;
  begunBy: string;
}

interface HostKey {
  name: string;
  id: Uint8Array;
  public: Uint8Array;
}

// A seat, as one player holds it from event `since` on.
interface ProvenSeat {
  side: string;
  since: number;
  until: number;
  player: string;
  name: string;
  kind: string;
  mode: string;
  anchor: Uint8Array | null;
  signer: Uint8Array | null;
  isSealed: boolean;
  isTaken: boolean;
  isBot: boolean;
  isOperator: boolean;
  isProgram: boolean;
}

// What a seat has given so far.
interface SeatGiven {
  isStale: boolean;
  newest: Uint8Array | null;
  lastSeal: string;
  entered: number;
  ordered: number;
  alone: number;
  waitsFor: Set<string>;
}

// What was done by agreement, by an umpire or by the host.
interface SettledAct {
  n: number;
  what: string;
  who: string;
  authority: string;
  about: string;
  isUnsigned: boolean;
  signer?: Uint8Array | null;
  kid?: string;
}

// What a seat has proposed or offered, and in which event.
interface Said {
  what: string;
  n: number;
}

// One epoch of a deck.
interface DeckPile {
  epoch: number;
  cards: string[] | null;
  isEndless: boolean;
  remaining: number;
  drawn: number;
  waiting: string[];
  look: { t?: number; scope?: string; isKnown?: boolean };
  hasSealedLook: boolean;
  kept: (string | null)[];
}

interface DrawTable {
  seats: string[];
  decks: Record<string, string[]> | null;
  faces: Record<string, number[][]>;
}

type DrawState = "checked" | "bound" | "secret";
