/** Appearance of For the King's cards and duties, from their tags and faces: an office, gold or a king, and a value. */

import type { Piece } from '../../replay/protocol';

const TONES = [
  'diplomacy', 'entertainment', 'livestock', 'architecture', 'military', 'provisions', 'gold', 'king',
] as const;
export type Tone = (typeof TONES)[number];

export interface Card {
  readonly tone: Tone;
  /** Number in the corner, e.g. `3`. */
  readonly value: string;
  /** Small text beside it, e.g. a letter. */
  readonly small: string;
}

const KING_SIGNS: Readonly<Record<string, string>> = { P: '+1', M: '−1', PM: '±1', PP: '+1 +1', MM: '−1 −1', MIX: '+1 −1' };

/** Return the tone of a piece, which selects its colour and glyph; null if it has none. */
export function toneOf(piece: Piece): Tone | null {
  return TONES.find((tone) => piece.tags?.includes(tone) || piece.tags?.includes(`office:${tone}`)) ?? null;
}

/** Return the appearance of a card. A card without a tone looks like gold. */
export function cardOf(piece: Piece): Card {
  const tone = toneOf(piece) ?? 'gold';
  const parts = (piece.face ?? '').split('-');
  const sign = tone === 'king' ? parts.map((part) => KING_SIGNS[part]).find(Boolean) : undefined;
  const value = sign ?? parts.find((part) => /^\d+$/.test(part)) ?? '';
  const small = tone === 'king' ? '' : (parts.slice(1).find((part) => /^[A-Z]$/.test(part)) ?? '');
  return { tone, value, small };
}

/** Glyph of each tone: one path in a 24 by 24 box, with the even-odd fill rule. They are original drawings. */
export const GLYPHS: Readonly<Record<Tone, string>> = {
  diplomacy:
    'M21 2.6C13.4 2.6 7.6 7 5.7 14.2L3.2 21l1.7.6 1.7-4.2c7.4.1 12.7-5 14.4-14.8zM8 15.2C9.8 11.3 12.6 8.6 16.4 7 13.4 9.3 11 12 9.3 15.300z',
  entertainment:
    'M19.300 1.800l3 3-1.200 1.200-.8-.2-4.900 5c1.300 2.600.8 5.900-1.400 8.100-2.900 2.900-7.500 3.200-10.200.5s-2.400-7.300.5-10.200c2.200-2.200 5.400-2.700 8-1.400l5-4.900-.2-.8zM9.200 12.300a2.700 2.700 0 1 0 0 5.400 2.700 2.700 0 0 0 0-5.400z',
  livestock:
    'M6.300 2.500C3.500 6.600 2.500 11 3.800 15c1.200 4 4.400 6.500 8.200 6.500s7-2.500 8.200-6.500c1.300-4 .3-8.400-2.500-12.500l-3.800 1.600c1.900 3.300 2.600 6.500 1.900 9.400-.6 2.500-2 3.900-3.800 3.900s-3.200-1.400-3.800-3.900c-.7-2.900 0-6.100 1.900-9.400z',
  architecture:
    'M4.500 2.500h3.300v2.600h2.500V2.500h3.400v2.600h2.500V2.500h3.300v6.200l-2 1.800v8.500h2v2.500h-15V19h2v-8.500l-2-1.800zM10.300 21.500h3.400v-4.300a1.700 1.700 0 0 0-3.400 0z',
  military:
    'M12 1.800l8.500 2.900v6.400c0 5-3.400 9.200-8.500 11.200-5.100-2-8.500-6.200-8.500-11.200V4.700zM11 5.200v4.300H6.500v2H11v7.200h2v-7.200h4.500v-2H13V5.200z',
  provisions:
    'M12.600 6.200c.2-1.900 1.300-3.300 3.300-4.200l.8 1.500c-1.300.6-2.100 1.500-2.300 2.700zM7 7a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5zm5 0a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5zm5 0a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5zm-7.500 5a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5zm5 0a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5zM12 17a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5z',
  gold: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 2.200a7.800 7.800 0 1 1 0 15.600 7.800 7.800 0 0 1 0-15.600zM12 6.500l1.600 3.700 4 .4-3 2.700.9 3.900L12 15.200l-3.500 2 .9-3.900-3-2.700 4-.4z',
  king: 'M2.500 7.200l5 4.200L12 3.500l4.500 7.900 5-4.200-2 10.300h-15zM4.700 19h14.600v2H4.700z',
};
