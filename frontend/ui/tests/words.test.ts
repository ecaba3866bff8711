import { afterEach, describe, expect, it, vi } from 'vitest';
import { HELP } from '../src/replay/keys';
import { choose, firstLanguage, language, languageIn, preferred, speak, word, writeLanguage } from '../src/replay/speech.svelte';
import { ENGLISH, fill } from '../src/replay/words';
import { WORDS as CHINESE } from '../src/replay/words.zh-hant';

const holes = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe('the catalogue', () => {
  it('holds the same words in both languages, none of them empty, with the same holes', () => {
    expect(Object.keys(CHINESE)).toEqual(Object.keys(ENGLISH));
    for (const [key, english] of Object.entries(ENGLISH)) {
      const chinese = CHINESE[key as keyof typeof ENGLISH];
      expect(english.trim() && chinese.trim(), key).not.toBe('');
      expect(holes(chinese), key).toEqual(holes(english));
    }
  });

  it('says in Chinese all but signs, keys and names of formats', () => {
    const latin = Object.entries(CHINESE).filter(([, text]) => !/[\u4e00-\u9fff]/.test(text) && /[a-z]{2}/i.test(text.replace(/\{\w+\}/g, '')));
    expect(latin.map(([key]) => key)).toEqual(['keys.turn', 'keys.ends', 'keep.log.how']);
  });

  it('has a word for every row of the help', () => {
    for (const row of HELP) expect([ENGLISH[`keys.${row}`], ENGLISH[`help.${row}`]]).not.toContain(undefined);
  });

  it('fills what is told and leaves what is not', () => {
    expect(fill('{a} of {b}', { a: 1, b: '{a}' })).toBe('1 of {a}');
    expect(fill('{a} of {b}')).toBe('{a} of {b}');
  });
});

describe('the language', () => {
  const reader = (languages: readonly string[], kept: string | null = null): void => {
    vi.stubGlobal('navigator', { languages });
    vi.stubGlobal('localStorage', { getItem: () => kept, setItem: (_: string, value: string) => void (kept = value) });
  };
  afterEach(async () => {
    vi.unstubAllGlobals();
    await speak('en');
  });

  it('is Chinese for those who read the traditional signs, English for all others', () => {
    for (const tags of [['zh-TW', 'en'], ['zh-Hant'], ['zh-HK'], ['zh-Hant-TW'], ['ja', 'zh-TW'], ['ZH-tw']]) expect(preferred(tags)).toBe('zh-Hant');
    for (const tags of [[], ['zh-CN'], ['zh-Hans'], ['zh'], ['de'], ['en-GB', 'zh-TW']]) expect(preferred(tags)).toBe('en');
  });

  it('is the one in the address, else the one chosen before, else the browser’s', () => {
    reader(['zh-TW'], null);
    expect(firstLanguage('http://a/?lang=en')).toBe('en');
    expect(firstLanguage('http://a/?lang=tlh')).toBe('zh-Hant');
    reader(['en'], 'zh-Hant');
    expect(firstLanguage('http://a/')).toBe('zh-Hant');
    vi.stubGlobal('localStorage', undefined);
    expect(firstLanguage('http://a/')).toBe('en');
    expect([languageIn(null), languageIn('en'), languageIn('EN')]).toEqual([null, 'en', null]);
  });

  it('stands in the address where it would not be spoken without', () => {
    reader(['en']);
    expect(writeLanguage('http://a/?at=1', 'zh-Hant')).toBe('http://a/?at=1&lang=zh-Hant');
    expect(writeLanguage('http://a/?at=1&lang=zh-Hant', 'en')).toBe('http://a/?at=1');
    reader(['en'], 'zh-Hant');
    expect(writeLanguage('http://a/', 'en')).toBe('http://a/?lang=en');
  });

  it('is the page’s where the address names none, and what is chosen there is the page’s from then on', async () => {
    const page = { documentElement: { dataset: { tongue: 'zh-Hant' } }, cookie: '' };
    vi.stubGlobal('document', page);
    reader(['en'], 'en');
    expect([firstLanguage('http://a/'), firstLanguage('http://a/?lang=en')]).toEqual(['zh-Hant', 'en']);
    await choose('en');
    expect(page.cookie).toBe('language=en;path=/;max-age=31536000;samesite=lax');
  });

  it('changes every word once its catalogue has come, and is remembered', async () => {
    reader(['en']);
    expect(word('keep')).toBe('Download');
    await choose('zh-Hant');
    expect([language(), word('keep'), word('live.behind', { count: 3 })]).toEqual(['zh-Hant', '下載', '落後 3 步，跟上進度']);
    expect(firstLanguage('http://a/')).toBe('zh-Hant');
  });

  it('is the last one asked for, whichever comes first', async () => {
    await Promise.all([speak('zh-Hant'), speak('en')]);
    expect(language()).toBe('en');
  });
});
