/** What one entry changed in the picture, as rows of before and after. */

import type { Moment } from '../reel';
import type { Piece, Zone } from '../protocol';
import { word } from '../speech.svelte';
import { say } from './words';

export interface Change {
  /** What changed, e.g. the name of a piece. */
  readonly what: string;
  /** How it was; empty for what was not there. */
  readonly before: string;
  /** How it is; empty for what is no more. */
  readonly after: string;
}

interface Laid {
  readonly piece: Piece;
  readonly where: string;
}

function owned(name: string | number, what: string): string {
  return say('changes.whose', { name, what });
}

function placeOf(zone: Zone, names: readonly string[]): string {
  return zone.seat == null ? zone.label : owned(names[zone.seat] ?? zone.seat, zone.label);
}

function named(piece: Piece): string {
  return piece.label || piece.face || word('piece.down');
}

/** Return how a piece lies as far as it lies otherwise than `other`: its face, its place and what is marked on it. */
function lying({ piece, where }: Laid, other?: Laid): string {
  if (other === undefined) return where;
  const marks = (piece.tags ?? []).filter((tag) => !other.piece.tags?.includes(tag));
  const lies = named(piece) === named(other.piece) ? where : say('changes.lies', { face: named(piece), where });
  return marks.length > 0 ? say('changes.marks', { where: lies, marks: marks.join(', ') }) : lies;
}

/** Whether a piece lies as it did. */
function same(one: Laid, other: Laid): boolean {
  const looks = ({ piece, where }: Laid): string => [where, named(piece), ...(piece.tags ?? [])].join('\n');
  return looks(one) === looks(other);
}

function laid(moment: Moment, names: readonly string[]): ReadonlyMap<string, Laid> {
  return new Map(
    moment.zones.flatMap((zone) =>
      (zone.pieces ?? []).map((piece) => [piece.key, { piece, where: placeOf(zone, names) }] as const),
    ),
  );
}

function pieceChanges(before: Moment, now: Moment, names: readonly string[]): Change[] {
  const [old, fresh] = [laid(before, names), laid(now, names)];
  const changes: Change[] = [];
  for (const [key, was] of old) {
    const is = fresh.get(key);
    if (!is) changes.push({ what: named(was.piece), before: lying(was), after: '' });
    else if (!same(was, is)) changes.push({ what: named(is.piece), before: lying(was, is), after: lying(is, was) });
  }
  for (const [key, is] of fresh) if (!old.has(key)) changes.push({ what: named(is.piece), before: '', after: lying(is) });
  return changes;
}

function noteChanges(before: Moment, now: Moment, names: readonly string[]): Change[] {
  const notes = (moment: Moment): ReadonlyMap<string, string> =>
    new Map(moment.zones.map((zone) => [placeOf(zone, names), zone.note ?? '']));
  return rowsOf(notes(before), notes(now));
}

function meterChanges(before: Moment, now: Moment, names: readonly string[]): Change[] {
  const values = (moment: Moment): ReadonlyMap<string, string> =>
    new Map(
      moment.meters.flatMap(({ label, values }) =>
        values.map((value, seat) => [owned(names[seat] ?? seat, label), String(value)] as const),
      ),
    );
  return rowsOf(values(before), values(now));
}

function rowsOf(old: ReadonlyMap<string, string>, fresh: ReadonlyMap<string, string>): Change[] {
  const keys = new Set([...old.keys(), ...fresh.keys()]);
  const rows = [...keys].map((what) => ({ what, before: old.get(what) ?? '', after: fresh.get(what) ?? '' }));
  return rows.filter((row) => row.before !== row.after);
}

/** Return the names with the number of the seat at those that several seats share, as a bot may sit down twice. */
function distinct(names: readonly string[]): readonly string[] {
  const shared = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  return names.map((name, seat) => (shared(name) ? `${name} (${seat + 1})` : name));
}

/** Return all that differs between two pictures; nothing for the first one of a match. */
export function difference(before: Moment | undefined, now: Moment, names: readonly string[]): readonly Change[] {
  if (before === undefined) return [];
  const told = distinct(names);
  const turns = (moment: Moment): string => moment.toAct.map((seat) => told[seat] ?? seat).join(', ');
  const act = say('changes.act');
  return [
    ...pieceChanges(before, now, told),
    ...noteChanges(before, now, told),
    ...meterChanges(before, now, told),
    ...rowsOf(new Map([[act, turns(before)]]), new Map([[act, turns(now)]])),
  ];
}
