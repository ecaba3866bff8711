/** Emblems that several games share. They are original drawings. */

import type { Emblem } from './emblem';

/** Return a pair of ears of wheat on both sides of the stalk. */
function ears(y: number): string {
  return `M12 ${y}c.5-3.500 2.500-5 5.500-5.200 0 3.200-2 5.200-5.500 5.200zm0 0c-.5-3.500-2.500-5-5.500-5.200 0 3.200 2 5.200 5.500 5.200z`;
}

const CROWN = 'M2 7l5 4.200L12 3l5 8.200L22 7l-2 10.500H4zM4.500 19h15v2.800h-15z';

export const KING: Emblem = { fill: `${CROWN}M11 0h2v4h-2z`, line: 'M10.200 1.400h3.600' };

export const GUARD: Emblem = { fill: 'M4.500 22.500V11a7.500 7.500 0 0 1 15 0v11.500h-5.300v-6.700H9.800v6.700zM10.700.500h2.600v4h-2.600z', hole: 'M7 9.800h10v2.600H7z' };

export const WHEAT: Emblem = {
  line: 'M12 23V8',
  fill: `M12 7.500c-2.300-2.200-2.300-4.400 0-7 2.300 2.600 2.300 4.800 0 7z${ears(12)}${ears(16)}${ears(20)}`,
};
