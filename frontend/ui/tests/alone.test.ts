import { expect, test } from 'vitest';
import { answerFor, framesFor, type Kept } from '../src/alone-kept';

const whole = { type: 'frames', eyes: 'all', frames: [{ at: 0, kind: 'opened', say: 'x' }], length: 1, open: false } as const;
const KEPT: Kept = {
  game: 'pig',
  names: ['a', 'b'],
  head: 'ff',
  frames: { all: { en: whole } },
  about: { en: { coin: 'A coin.' } },
  review: { status: 'done' },
};

test('a viewer that has no frame is sent all of them, and one that has them none', () => {
  expect(framesFor(KEPT, { eyes: 'all', after: -1, language: 'en' })).toEqual(whole);
  expect(framesFor(KEPT, { eyes: 'all', after: 0, language: 'en' })).toEqual({ ...whole, frames: [] });
});

test('eyes that the page does not hold are refused', () => {
  expect(framesFor(KEPT, { eyes: '7', after: -1, language: 'en' })).toMatchObject({ type: 'refused' });
});

test('what a server would be asked for is answered from the page, and nothing else', () => {
  expect(answerFor(KEPT, '/api/v1/matches/log/review/?eyes=public')).toEqual({ status: 'done' });
  expect(answerFor(KEPT, '/games/pig/about/?lang=en')).toEqual({ coin: 'A coin.' });
  expect(answerFor(KEPT, '/games/pig/about/?lang=zh-Hant')).toBeUndefined();
  expect(answerFor(KEPT, '/api/v1/matches/')).toBeUndefined();
  expect(answerFor(KEPT, '/words/de')).toBeUndefined();
});

test('the words of a plug-in’s language are answered from the page', () => {
  const german = { tag: 'de', name: 'Deutsch', short: 'DE', locales: '^de', words: { viewer: { help: 'Tasten' } } };
  expect(answerFor({ ...KEPT, languages: [german] }, '/words/de')).toEqual({ viewer: { help: 'Tasten' } });
});
