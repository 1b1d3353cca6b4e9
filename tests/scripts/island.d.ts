// Made by `python -m tests.script_types` from the structs of these names (decision 44).

interface FreeEndShown {
  order: string;
  act: "charge" | "join" | "move" | "place" | "shoot" | "stay";
  at: [number, number];
  facing: number | null;
  outline: [number, number][];
  distance: number;
  cost: number;
  nearest: NearShown[];
  said: string;
}

interface FreeEndsShown {
  battle: string;
  n: number;
  side: string;
  unit: string;
  at: [number, number];
  facing: number | null;
  choices: FreeEndShown[];
  reach: [number, number][];
  said: string;
}

interface NearShown {
  unit: string;
  distance: number;
  said: string;
}

interface OrderTarget {
  act: "charge" | "join" | "move" | "place" | "shoot" | "stay";
  box?: string;
  point?: [number, number] | null;
  unit?: string;
  facing?: number | null;
  path?: string[];
  way?: [number, number][];
  edge?: string;
  group?: [string, string][];
  said?: string;
}

interface TargetShown {
  order: string;
  target: OrderTarget;
  under?: string;
  chance?: string;
}
