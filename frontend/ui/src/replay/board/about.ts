/** What a piece is there for, in the words of its game. */

import type { Piece } from '../protocol';

/** By a piece's tag, by its kind, or `hidden` for one that lies face down. */
export type Texts = Readonly<Record<string, string>>;

/** Return by what a piece is explained, the nearest first; its kind, or that it is hidden, comes last. */
export function topicsOf(piece: Piece): string {
  return [...(piece.tags ?? []), piece.face ? piece.kind : 'hidden'].join(' ');
}

/** Return the address of the rules of a game, at the first rule that these texts name by its number, such as K12. */
export function ruleOf(game: string, texts: readonly string[]): { readonly rule: string | null; readonly address: string } {
  const rule = /\b[A-Z]\d{1,2}\b/.exec(texts.join(' '))?.[0] ?? null;
  return { rule, address: `/games/${game}/#${rule ? `rule-${rule}` : 'rules'}` };
}

/** Return what there is to say under these topics: of the tags, else of the kind. */
export function textsOf(topics: string, texts: Texts): readonly string[] {
  const told = topics.split(' ').map((topic, place, all) => ({ text: texts[topic], last: place === all.length - 1 }));
  const ofTags = told.flatMap(({ text, last }) => (text && !last ? [text] : []));
  return ofTags.length > 0 ? ofTags : told.flatMap(({ text }) => text ?? []);
}
