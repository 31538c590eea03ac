// SPDX-License-Identifier: MIT
// Messages of the engine, as studio/PROTOCOL.md describes them.

export type Edges = "open" | "closed" | "periodic";
export type Spot = [number, number]; // m from the south-west corner, east and north

export interface Ready {
  type: "ready";
  engine: string;
  threads: number;
  isa: string;
  yaml: boolean;
  max_cells: number;
  processes: { name: string; doc: string }[];
  files: boolean;
}

export interface EditInfo {
  name: string;
  doc: string;
  amount: string;
  unit: string;
  default: number;
  max: number;
  layer: string;
}

export interface SceneInfo {
  type: "scene";
  name: string;
  doc: string;
  width: number;
  height: number;
  cell: number;
  extent: Spot;
  edges: [Edges, Edges, Edges, Edges];
  tile: number;
  columns: number;
  rows: number;
  tick: number;
  end: number | null;
  layers: { name: string; unit: string }[];
  edits: EditInfo[];
  sea_level: number | null;
}

export interface Clock {
  type: "clock";
  year: number;
  tick: number;
  playing: boolean;
  rate: number;
  slice_ms: number;
  can_undo: boolean;
  can_redo: boolean;
  branch: string;
  branches: string[];
  processes: { name: string; from: number; until: number | null; running: boolean; model: string }[];
}

export interface LedgerRow {
  material: string;
  before: number;
  edited: number;
  in: number;
  out: number[];
  lost: number;
  converted: number;
  transit: number;
  after: number;
  residual: number;
  eroded: number;
  deposited: number;
}
export interface Ledger {
  type: "ledger";
  rows: LedgerRow[];
}

export interface EventItem {
  index: number;
  year: number;
  name: string;
  kind: string;
  joins?: boolean;
}
export interface Events {
  type: "events";
  end: number | null;
  tracks: { process: string; from: number; until: number | null }[];
  list: EventItem[];
}

export interface MapInfo {
  name: string;
  unit: string;
  doc: string;
}
export interface Maps {
  type: "maps";
  list: MapInfo[];
}

export interface FieldInfo {
  name: string;
  type: string;
  unit: string;
  default: number | boolean | string;
  min: number | null;
  max: number | null;
  doc: string;
  source?: string;
  group?: string;
  names?: string[];
  models?: string[];
  value: number | boolean | string | null;
}
export interface TableInfo {
  name: string;
  doc: string;
  columns: { name: string; unit: string; min: number | null; max: number | null; optional: boolean }[];
  rows: number[][] | null;
}
export interface ProcessInfo {
  name: string;
  doc: string;
  default_years: number;
  presets: { name: string; doc: string; values: Record<string, number | string | boolean> }[];
  models: { name: string; doc: string }[];
  fields: FieldInfo[];
  tables: TableInfo[];
  maps: { name: string; unit: string; doc: string; input: boolean; models: string[]; spots?: MapSpot[] }[];
}
/** A stroke of one point over an input map: an emitter. */
export interface MapSpot {
  stroke: number; // its number in the map
  x: number; // m from the south-west corner
  y: number;
  radius: number; // m
  soft: number; // m
  value: number;
}
export interface Describe {
  type: "describe";
  processes: ProcessInfo[];
}

export interface Probe {
  type: "probe";
  at: Spot;
  void: boolean;
  surface: number;
  bedrock: number;
  water: number;
  slope: number;
  layers: Record<string, number>;
  hardness: number;
  vegetation: number;
  moisture: number;
  slots: (number | null)[];
}
export interface Section {
  type: "section";
  distance: number[];
  surface: (number | null)[];
  bedrock: (number | null)[];
  water: (number | null)[];
  layers: Record<string, (number | null)[]>;
  slots: ((number | null)[] | null)[];
}
export interface Hash {
  type: "hash";
  year: number;
  living: string;
  end: string;
}
export interface RecordText {
  type: "record";
  text: string;
  year: number;
  end: string;
}
export interface FileInfo {
  type: "file";
  seq: number;
  name: string;
  bytes: number;
  info?: { min?: number; max?: number; width?: number; height?: number; cell?: number };
}
export interface Travel {
  type: "travel";
  year: number;
}
export interface Snapshots {
  type: "snapshots";
  years: number[];
  bytes: number;
}
export interface Accepted {
  type: "event";
  index: number;
  year: number;
  name: string;
}
export interface ServerInfo {
  type: "server";
  open: boolean;
  name: string;
  record: string | null;
}
export interface Failure {
  type: "error";
  id?: number;
  text: string;
  at?: string;
  field?: string;
}

export interface Answers {
  ready: Ready;
  scene: SceneInfo;
  clock: Clock;
  ledger: Ledger;
  events: Events;
  maps: Maps;
  describe: Describe;
  probe: Probe;
  section: Section;
  hash: Hash;
  record: RecordText;
  file: FileInfo;
  snapshots: Snapshots;
  travel: Travel;
  event: Accepted;
  server: ServerInfo;
  note: { type: "note"; text: string; warns?: boolean };
  error: Failure;
}

export interface Command {
  type: string;
  id?: number;
  [key: string]: unknown;
}
