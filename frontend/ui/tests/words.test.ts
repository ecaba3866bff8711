import { afterEach, describe, expect, it, vi } from 'vitest';
import { ENGLISH as ENDING } from '../src/replay/ending/words';
import { ENGLISH as HAND } from '../src/replay/hand/words';
import { HELP } from '../src/replay/keys';
import { ENGLISH as REVIEW } from '../src/replay/review/words';
import {
  chooseLanguage, createTranslator, firstLanguage, language, languageIn, LANGUAGES, languages, loadLanguage,
  preferredLanguage, t, writeLanguage,
} from '../src/replay/translation.svelte';
import { ENGLISH as TOOLS } from '../src/replay/tools/words';
import { ENGLISH, fill } from '../src/replay/words';

type Words = Readonly<Record<string, string>>;
type Parts = Readonly<Record<string, Words>>;
const ENGLISH_PARTS: Parts = { viewer: ENGLISH, tools: TOOLS, hand: HAND, review: REVIEW, ending: ENDING };
const catalogues = import.meta.glob<Parts>('../src/locale/*.json', { import: 'default', eager: true });
const games = import.meta.glob<Words>('../src/games/*/words.ts', { import: 'ENGLISH', eager: true });
const ofGames = import.meta.glob<Words>('../src/games/*/locale/*.json', { import: 'default', eager: true });
const CHINESE = Object.assign({}, ...Object.values(catalogues['../src/locale/zh-Hant.json'] ?? {})) as Words;
const translated = LANGUAGES.map(({ tag }) => tag).filter((tag) => tag !== 'en');
const used = createTranslator('a_game', { used: 'used' });
const holes = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

/** Return the words of one language that are missing, superfluous, empty, or have other holes. */
function faults(english: Words, other: Words = {}): readonly string[] {
  const keys = new Set([...Object.keys(english), ...Object.keys(other)]);
  return [...keys].filter((key) => {
    const [here, there] = [english[key], other[key]];
    return !here?.trim() || !there?.trim() || holes(here).join() !== holes(there).join();
  });
}

describe('the catalogue', () => {
  it.each(translated)('of %s holds the same words as the English one, none of them empty, with the same holes', (tag) => {
    const parts = catalogues[`../src/locale/${tag}.json`] ?? {};
    expect(Object.keys(parts)).toEqual(Object.keys(ENGLISH_PARTS));
    for (const [part, english] of Object.entries(ENGLISH_PARTS)) expect(faults(english, parts[part]), part).toEqual([]);
    for (const [module, english] of Object.entries(games)) {
      expect(faults(english, ofGames[module.replace('words.ts', `locale/${tag}.json`)]), module).toEqual([]);
    }
  });

  it('of a language that is not in the registry does not exist', () => {
    const tags = [...Object.keys(catalogues), ...Object.keys(ofGames)].map((path) => /([^/]+)\.json$/.exec(path)?.[1]);
    expect(tags.filter((tag) => !translated.includes(tag ?? ''))).toEqual([]);
    expect(faults({ a: '{x}', b: 'b', c: 'c' }, { a: '{y}', b: ' ', d: 'd' })).toEqual(['a', 'b', 'c', 'd']);
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
    await loadLanguage('en');
  });

  it('is Chinese for those who read the traditional signs, English for all others', () => {
    for (const tags of [['zh-TW', 'en'], ['zh-Hant'], ['zh-HK'], ['zh-Hant-TW'], ['ja', 'zh-TW'], ['ZH-tw']]) expect(preferredLanguage(tags)).toBe('zh-Hant');
    for (const tags of [[], ['zh-CN'], ['zh-Hans'], ['zh'], ['de'], ['en-GB', 'zh-TW']]) expect(preferredLanguage(tags)).toBe('en');
  });

  it('is the one in the address, else the one chosen before, else the browser’s', () => {
    reader(['zh-TW'], null);
    expect(firstLanguage('http://a/?lang=en')).toBe('en');
    expect(firstLanguage('http://a/?lang=tlh')).toBe('zh-Hant');
    reader(['en'], 'zh-Hant');
    expect(firstLanguage('http://a/')).toBe('zh-Hant');
    vi.stubGlobal('localStorage', undefined);
    expect(firstLanguage('http://a/')).toBe('en');
    expect([languageIn(null), languageIn('en'), languageIn('EN')]).toEqual([undefined, 'en', undefined]);
  });

  it('stands in the address where it would not be spoken without', () => {
    reader(['en']);
    expect(writeLanguage('http://a/?at=1', 'zh-Hant')).toBe('http://a/?at=1&lang=zh-Hant');
    expect(writeLanguage('http://a/?at=1&lang=zh-Hant', 'en')).toBe('http://a/?at=1');
    reader(['en'], 'zh-Hant');
    expect(writeLanguage('http://a/', 'en')).toBe('http://a/?lang=en');
  });

  it('is the page’s where the address names none, and what is chosen there is the page’s from then on', async () => {
    const page = { documentElement: { dataset: { language: 'zh-Hant' } }, cookie: '' };
    vi.stubGlobal('document', page);
    reader(['en'], 'en');
    expect([firstLanguage('http://a/'), firstLanguage('http://a/?lang=en')]).toEqual(['zh-Hant', 'en']);
    await chooseLanguage('en');
    expect(page.cookie).toBe('language=en;path=/;max-age=31536000;samesite=lax');
  });

  it('changes every word once its catalogue has come, and is remembered', async () => {
    reader(['en']);
    expect(t('help')).toBe('Keys');
    await chooseLanguage('zh-Hant');
    expect([language(), t('help'), t('live.behind', { count: 3 })]).toEqual(['zh-Hant', '快捷鍵', '落後 3 步，跟上進度']);
    expect(firstLanguage('http://a/')).toBe('zh-Hant');
  });

  it('stays as it is where there are no words of another', async () => {
    await loadLanguage('tlh');
    expect([language(), t('help')]).toEqual(['en', 'Keys']);
  });

  it('may come from a plug-in: the page names it and the address of its words', async () => {
    const dataset = { tag: 'de', name: 'Deutsch', short: 'DE', locales: '^de\\b' };
    const element = { dataset, getAttribute: () => '/words/de/1.json' };
    const page = { documentElement: { dataset: { language: 'de' } }, cookie: '', getElementsByName: () => [element] };
    const fetched = vi.fn(async () => Response.json({ viewer: { 'help': 'Tasten', 'help.open': '' }, a_game: { used: 'benutzt' } }));
    vi.stubGlobal('document', page);
    vi.stubGlobal('fetch', fetched);
    reader(['de-AT']);
    expect([languages().map(({ short }) => short), preferredLanguage(['de-AT']), firstLanguage('http://a/')]).toEqual([['EN', '中文', 'DE'], 'de', 'de']);
    await chooseLanguage('de');
    expect(fetched).toHaveBeenCalledWith('/words/de/1.json');
    expect([language(), t('help'), t('help.open'), t('eyes'), used('used')]).toEqual(['de', 'Tasten', 'Keys (?)', 'Seen by', 'benutzt']);
    expect(page.cookie).toContain('language=de;');
  });

  it('of a plug-in without words is shown with English words, and one whose words do not come is not shown', async () => {
    const address = { value: '' };
    const element = { dataset: { tag: 'de', name: 'Deutsch', short: 'DE', locales: '^de' }, getAttribute: () => address.value };
    vi.stubGlobal('document', { documentElement: { dataset: {} }, getElementsByName: () => [element] });
    await loadLanguage('de');
    expect([language(), t('help')]).toEqual(['de', 'Keys']);
    await loadLanguage('en');
    address.value = '/words/de/1.json';
    vi.stubGlobal('fetch', async () => Response.json({}, { status: 404 }));
    await loadLanguage('de');
    expect(language()).toBe('en');
  });

  it('is the last one asked for, whichever comes first', async () => {
    await Promise.all([loadLanguage('zh-Hant'), loadLanguage('en')]);
    expect(language()).toBe('en');
  });
});
