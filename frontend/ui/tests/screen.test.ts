import { expect, it } from 'vitest';
import { writeDuration } from '../src/screen';

it.each([
  [0, '0:00'],
  [61_900, '1:01'],
  [3_599_999, '59:59'],
  [3_847_000, '1:04:07'],
  [-5, '0:00'],
])('a match that has taken %i ms shows %s', (milliseconds, text) => {
  expect(writeDuration(milliseconds)).toBe(text);
});
