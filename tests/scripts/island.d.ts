// Made by `python -m tests.script_types` from the structs of these names (decision 44).

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
