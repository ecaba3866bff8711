/** The characters of To Court the King as their cards show them: level, cost, and how a name is set. */

import type { Piece } from '../../replay/protocol';
import { word } from '../../replay/speech.svelte';

/** The rows of the display; 0 is for those that no dice buy. */
export type Level = 0 | 1 | 2 | 3 | 4 | 5;

/** Who stands in each row; what each costs is the word `cost.…`. */
const ROWS = [
  ['fool', 'charlatan'],
  ['farmer', 'serving_maid', 'philosopher', 'laborer', 'guard'],
  ['hunter', 'astronomer', 'merchant'],
  ['noblewoman', 'pawn_broker', 'knight', 'magician'],
  ['alchemist', 'bishop', 'nobleman', 'general'],
  ['king', 'queen'],
] as const;
type Name = (typeof ROWS)[number][number];
export const NUMERALS = ['', 'I', 'II', 'III', 'IV', 'V'] as const;

export interface Character {
  readonly name: string;
  readonly level: Level;
  readonly cost: string;
  /** How many are left in the display; null for one that somebody holds. */
  readonly left: number | null;
  readonly used: boolean;
  /** The name as it is said. */
  readonly title: string;
  /** The name as it is printed, one or two lines. */
  readonly lines: readonly string[];
  /** The size of its letters in a card 64 units wide. */
  readonly size: number;
}

const WIDEST = 12.5;
/** How wide a letter is, in sizes; measured on the longest names. */
const LETTER = 0.55;
const ROOM = 61;

/** Return the character on a card. */
export function characterOf(piece: Piece): Character {
  const tags = piece.tags ?? [];
  const name = tags.find((tag) => tag.startsWith('character:'))?.slice(10) ?? '';
  const level = Math.max(0, ROWS.findIndex((row) => row.some((one) => one === name))) as Level;
  const known: Name | undefined = ROWS[level].find((one) => one === name);
  const left = tags.find((tag) => tag.startsWith('left:'))?.slice(5);
  const title = piece.label || piece.face || name;
  const lines = title.split(' ');
  const longest = Math.max(...lines.map((line) => line.length));
  return {
    name,
    title,
    level,
    cost: known ? word(`cost.${known}`) : '',
    left: left === undefined ? null : Number(left),
    used: tags.includes('used'),
    lines,
    size: Math.min(lines.length > 1 ? 11.5 : WIDEST, ROOM / (longest * LETTER)),
  };
}

/** Return a figure of so many equal sides round (0, 0), a corner on top. */
function sides(number: number, radius: number, inner = radius): string {
  const points = Array.from({ length: number }, (_, corner) => {
    const reach = corner % 2 ? inner : radius;
    const turn = (corner / number) * 2 * Math.PI - Math.PI / 2;
    return `${(Math.cos(turn) * reach).toFixed(1)} ${(Math.sin(turn) * reach).toFixed(1)}`;
  });
  return `M${points.join('L')}z`;
}

/** The frame of each level, so that its colour is not the only thing that tells it. */
export const FRAMES: readonly string[] = [
  'M-19 0a19 19 0 1 0 38 0a19 19 0 1 0-38 0z',
  'M-19 0a19 19 0 1 0 38 0a19 19 0 1 0-38 0z',
  'M-17.500-17.500h35v35h-35z',
  sides(5, 22),
  sides(6, 21.500),
  sides(16, 23, 18.500),
];
