import { expect, test } from 'vitest';
import { answerFor, framesFor, type EmbeddedMatch } from '../src/embedded-match';

const whole = { type: 'frames', eyes: 'all', frames: [{ at: 0, kind: 'opened', say: 'x' }], length: 1, open: false } as const;
const MATCH: EmbeddedMatch = {
  game: 'pig',
  names: ['a', 'b'],
  head: 'ff',
  frames: { all: { en: whole } },
  about: { en: { coin: 'A coin.' } },
  review: { status: 'done' },
};

test('a viewer that has no frame is sent all of them, and one that has them none', () => {
  expect(framesFor(MATCH, { eyes: 'all', after: -1, language: 'en' })).toEqual(whole);
  expect(framesFor(MATCH, { eyes: 'all', after: 0, language: 'en' })).toEqual({ ...whole, frames: [] });
});

test('eyes that the page does not hold are refused', () => {
  expect(framesFor(MATCH, { eyes: '7', after: -1, language: 'en' })).toMatchObject({ type: 'refused' });
});

test('what a server would be asked for is answered from the page, and nothing else', () => {
  expect(answerFor(MATCH, '/api/v1/matches/log/review/?eyes=public')).toEqual({ status: 'done' });
  expect(answerFor(MATCH, '/games/pig/about/?lang=en')).toEqual({ coin: 'A coin.' });
  expect(answerFor(MATCH, '/games/pig/about/?lang=zh-Hant')).toBeUndefined();
  expect(answerFor(MATCH, '/api/v1/matches/')).toBeUndefined();
  expect(answerFor(MATCH, '/words/de')).toBeUndefined();
});

test('the words of a plug-in’s language are answered from the page', () => {
  const german = { tag: 'de', name: 'Deutsch', short: 'DE', locales: '^de', words: { viewer: { help: 'Tasten' } } };
  expect(answerFor({ ...MATCH, languages: [german] }, '/words/de')).toEqual({ viewer: { help: 'Tasten' } });
});
