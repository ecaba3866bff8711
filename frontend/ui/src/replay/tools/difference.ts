/** Changes between two moments, as rows with the states before and after. */

import type { Moment } from '../reel';
import type { Piece, Zone } from '../protocol';
import { t as viewerText } from '../translation.svelte';
import { t } from './words';

export interface Change {
  /** Changed thing, e.g. the name of a piece. */
  readonly what: string;
  /** State before; empty if it did not exist. */
  readonly before: string;
  /** State after; empty if it no longer exists. */
  readonly after: string;
}

interface PlacedPiece {
  readonly piece: Piece;
  readonly where: string;
}

function withOwner(name: string | number, what: string): string {
  return t('changes.whose', { name, what });
}

function placeOf(zone: Zone, names: readonly string[]): string {
  return zone.seat == null ? zone.label : withOwner(names[zone.seat] ?? zone.seat, zone.label);
}

function pieceName(piece: Piece): string {
  return piece.label || piece.face || viewerText('piece.down');
}

/** Describe a piece: its place, and its face and tags as far as they differ from those of `other`. */
function describePiece({ piece, where }: PlacedPiece, other?: PlacedPiece): string {
  if (other === undefined) return where;
  const marks = (piece.tags ?? []).filter((tag) => !other.piece.tags?.includes(tag));
  const face = pieceName(piece);
  const place = face === pieceName(other.piece) ? where : t('changes.lies', { face, where });
  return marks.length > 0 ? t('changes.marks', { where: place, marks: marks.join(', ') }) : place;
}

/** Return true if a piece has not changed. */
function isSame(one: PlacedPiece, other: PlacedPiece): boolean {
  const looks = ({ piece, where }: PlacedPiece): string => [where, pieceName(piece), ...(piece.tags ?? [])].join('\n');
  return looks(one) === looks(other);
}

function placedPieces(moment: Moment, names: readonly string[]): ReadonlyMap<string, PlacedPiece> {
  return new Map(
    moment.zones.flatMap((zone) =>
      (zone.pieces ?? []).map((piece) => [piece.key, { piece, where: placeOf(zone, names) }] as const),
    ),
  );
}

function pieceChanges(before: Moment, now: Moment, names: readonly string[]): Change[] {
  const [old, fresh] = [placedPieces(before, names), placedPieces(now, names)];
  const changes: Change[] = [];
  for (const [key, was] of old) {
    const is = fresh.get(key);
    if (!is) changes.push({ what: pieceName(was.piece), before: describePiece(was), after: '' });
    else if (!isSame(was, is)) {
      changes.push({ what: pieceName(is.piece), before: describePiece(was, is), after: describePiece(is, was) });
    }
  }
  for (const [key, is] of fresh) {
    if (!old.has(key)) changes.push({ what: pieceName(is.piece), before: '', after: describePiece(is) });
  }
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
        values.map((value, seat) => [withOwner(names[seat] ?? seat, label), String(value)] as const),
      ),
    );
  return rowsOf(values(before), values(now));
}

function rowsOf(old: ReadonlyMap<string, string>, fresh: ReadonlyMap<string, string>): Change[] {
  const keys = new Set([...old.keys(), ...fresh.keys()]);
  const rows = [...keys].map((what) => ({ what, before: old.get(what) ?? '', after: fresh.get(what) ?? '' }));
  return rows.filter((row) => row.before !== row.after);
}

/** Return the names, with the seat's number after a name that several seats share, as a bot may play twice. */
function distinct(names: readonly string[]): readonly string[] {
  const shared = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  return names.map((name, seat) => (shared(name) ? `${name} (${seat + 1})` : name));
}

/** Return all changes between two moments; none for the first moment of a match. */
export function difference(before: Moment | undefined, now: Moment, names: readonly string[]): readonly Change[] {
  if (before === undefined) return [];
  const seatNames = distinct(names);
  const turns = (moment: Moment): string => moment.toAct.map((seat) => seatNames[seat] ?? seat).join(', ');
  const act = t('changes.act');
  return [
    ...pieceChanges(before, now, seatNames),
    ...noteChanges(before, now, seatNames),
    ...meterChanges(before, now, seatNames),
    ...rowsOf(new Map([[act, turns(before)]]), new Map([[act, turns(now)]])),
  ];
}
