/** Tags that pieces of any game may have: owner, lesser variant of a kind, number left, used, doubted. */

import type { Piece } from '../protocol';
import { t } from '../translation.svelte';

/** Return the part of a tag after its colon; undefined if the piece has no such tag. */
export function traitOf(piece: Piece, trait: string): string | undefined {
  return piece.tags?.find((tag) => tag.startsWith(`${trait}:`))?.slice(trait.length + 1);
}

/** Signs of a claim that is doubted, by the trait `doubt`. */
export const DOUBTS: Readonly<Record<string, string>> = { false: '✗', conflict: '≠' };

/** Return the remarks on a piece that follow its name in texts and accessible labels. */
export function remarkOf(piece: Piece): string {
  const [left, doubt] = [traitOf(piece, 'left'), traitOf(piece, 'doubt')];
  return [
    left === undefined ? '' : t('piece.left', { count: left }),
    piece.tags?.includes('used') ? t('piece.used') : '',
    doubt === 'false' ? t('piece.false') : doubt === 'conflict' ? t('piece.conflict') : '',
  ].join('');
}
