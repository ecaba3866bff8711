/** Explanations of pieces by their game, and links to the game's rules. */

import type { Piece } from '../protocol';

/** Texts by topic: a tag, a kind of piece, or `hidden` for a piece that lies face down. */
export type Texts = Readonly<Record<string, string>>;

/** Return the topics of a piece, most specific first: its tags, then its kind or `hidden`. */
export function topicsOf(piece: Piece): string {
  return [...(piece.tags ?? []), piece.face ? piece.kind : 'hidden'].join(' ');
}

/** Return the address of a game's rules, at the first rule number that these texts contain, such as K12. */
export function ruleOf(game: string, texts: readonly string[]): { readonly rule: string | null; readonly address: string } {
  const rule = /\b[A-Z]\d{1,2}\b/.exec(texts.join(' '))?.[0] ?? null;
  return { rule, address: `/games/${game}/#${rule ? `rule-${rule}` : 'rules'}` };
}

/** Return the texts of these topics: those of the tags, otherwise that of the kind. */
export function textsOf(topics: string, texts: Texts): readonly string[] {
  const all = topics.split(' ');
  const entries = all.map((topic, index) => ({ text: texts[topic], last: index === all.length - 1 }));
  const ofTags = entries.flatMap(({ text, last }) => (text && !last ? [text] : []));
  return ofTags.length > 0 ? ofTags : entries.flatMap(({ text }) => text ?? []);
}
