/** The language of the viewer: chosen once for a page, remembered, and said in the words of its catalogue. */

import { ENGLISH, fill, type Values, type Word, type Words } from './words';

export type Language = 'en' | 'zh-Hant';

export interface Tongue {
  readonly language: Language;
  /** What its readers call it. */
  readonly name: string;
  /** The same, as short as a button. */
  readonly short: string;
}
export const TONGUES: readonly Tongue[] = [
  { language: 'en', name: 'English', short: 'EN' },
  { language: 'zh-Hant', name: '繁體中文', short: '中文' },
];

const FETCH: Readonly<Record<Language, () => Promise<Words>>> = {
  en: () => Promise.resolve(ENGLISH),
  'zh-Hant': () => import('./words.zh-hant').then(({ WORDS }) => WORDS),
};
const KEY = 'ftk-language';
const YEAR_S = 31_536_000;

let spoken = $state.raw<{ readonly language: Language; readonly words: Words }>({ language: 'en', words: ENGLISH });
let wanted: Language = 'en';

/** Return the language that is spoken now. */
export function language(): Language {
  return spoken.language;
}

/** Return a word in the language that is spoken now. */
export function word<Key extends Word>(key: Key, ...values: Values<Key>): string {
  return fill(spoken.words[key], values[0]);
}

/** Speak another language once its words are there; if they do not come, all stays as it is. */
export async function speak(language: Language): Promise<void> {
  wanted = language;
  const words = await FETCH[language]().catch(() => null);
  if (words && wanted === language) spoken = { language, words };
}

/** Speak a language from now on; a browser that keeps nothing forgets it. */
export async function choose(language: Language): Promise<void> {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // it is spoken all the same
  }
  // the site's next page speaks it, too; its cookie has Django's name of the tongue
  if (pages()) document.cookie = `language=${language.toLowerCase()};path=/;max-age=${YEAR_S};samesite=lax`;
  await speak(language);
}

/** Return the language in a text, or null when we speak none of that name. */
export function languageIn(text: string | null): Language | null {
  return TONGUES.find(({ language }) => language === text)?.language ?? null;
}

/** Return the first language that a reader prefers and we speak, English when there is none. */
export function preferred(tags: readonly string[]): Language {
  for (const tag of tags) {
    if (/^en\b/i.test(tag)) return 'en';
    if (/^zh-(hant|tw|hk|mo)\b/i.test(tag)) return 'zh-Hant';
  }
  return 'en';
}

function kept(): Language | null {
  try {
    return languageIn(localStorage.getItem(KEY));
  } catch {
    return null;
  }
}

/** Return the language of the page around the viewer, null where it is in no page of the site. */
function pages(): Language | null {
  return languageIn(globalThis.document?.documentElement.dataset['tongue'] ?? null);
}

/** Return the language to begin with: the address's, else the page's, else the one chosen before, else the browser's. */
export function firstLanguage(address: string): Language {
  return languageIn(new URL(address).searchParams.get('lang')) ?? pages() ?? kept() ?? preferred(navigator.languages);
}

/** Return the address with the language in it, unless it would be spoken without. */
export function writeLanguage(address: string, language: Language): string {
  const url = new URL(address);
  const usual = preferred(navigator.languages);
  if (language === usual && (kept() ?? usual) === usual) url.searchParams.delete('lang');
  else url.searchParams.set('lang', language);
  return url.toString();
}
