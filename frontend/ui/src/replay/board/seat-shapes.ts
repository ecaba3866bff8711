/** Shapes that distinguish the seats without colour: twelve paths in a 24 by 24 box. */

const CIRCLE = 'M12 1a11 11 0 1 0 .1 0z';

export const SHAPES: readonly string[] = [
  CIRCLE,
  'M2 2h20v20H2z',
  'M12 1l11 22H1z',
  'M12 0l12 12-12 12L0 12z',
  'M12 1l11 8-4 14H5L1 9z',
  'M8 1h8v7h7v8h-7v7H8v-7H1V8h7z',
  'M12 0l3 8 9 1-7 5 3 9-8-5-8 5 3-9-7-5 9-1z',
  'M6 2h12l6 10-6 10H6L0 12z',
  'M1 1h22L12 23z',
  'M2 1h20v11a10 10 0 0 1-20 0z',
  'M1 4h14l9 8-9 8H1z',
  'M12 23L1 12V2l6-1 5 4 5-4 6 1v10z',
];

/** Distance of the number below the middle of its shape, by seat; negative above. */
export const NUMBER_OFFSETS: ReadonlyMap<number, number> = new Map([[2, 4], [4, 1], [6, 1.5], [8, -4], [11, -1]]);

export function shapeOf(seat: number): string {
  return SHAPES[seat % SHAPES.length] ?? CIRCLE;
}
