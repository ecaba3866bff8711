/** The language of the viewer: chosen once for a page, remembered, and shown in the words of its catalogue. */

import LANGUAGES from '../../../../ftk_core/languages.json';
import { ENGLISH, fill, type Speaker } from './words';

/** A language that the viewer can show. */
interface Entry {
  readonly tag: Language;
  readonly name: string;
  readonly short: string;
  /** Regular expression for the browser languages that select it. */
  readonly locales: string;
}
export { LANGUAGES };
/** A tag of the registry, or of the language of a plug-in. */
export type Language = string;
/** Part of the viewer -> key -> text. */
type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** English is in the code; the words of the other languages are fetched when they are needed. */
const FETCH = import.meta.glob<Catalogue>('../locale/*.json');
const KEY = 'ftk-language';
const YEAR_S = 31_536_000;

let spoken = $state.raw<{ readonly language: Language; readonly catalogue: Catalogue }>({ language: 'en', catalogue: {} });
let wanted: Language = 'en';

/** Return the language that is spoken now. */
export function language(): Language {
  return spoken.language;
}

/** Return a function that says the texts of a part in the language that is spoken now; without a translation in English. */
export function speaker<Key extends string>(part: string, english: Readonly<Record<Key, string>>) {
  return (key: Key, values?: Readonly<Record<string, string | number>>): string =>
    fill(spoken.catalogue[part]?.[key] || english[key], values);
}

/** Return a word in the language that is spoken now. */
export const word: Speaker<typeof ENGLISH> = speaker('viewer', ENGLISH);

/** Return the elements with which the page names the languages of plug-ins. */
function elements(): readonly HTMLElement[] {
  return [...(globalThis.document?.getElementsByName?.('viewer-language') ?? [])];
}

/** Return all languages: the built-in ones, then those of plug-ins. */
export function languages(): readonly Entry[] {
  const added = elements().map(({ dataset }) => dataset as unknown as Entry);
  return [...LANGUAGES, ...added.map(({ tag, name, short, locales }) => ({ tag, name, short, locales }))];
}

/** Fetch the words of a plug-in's language from the address that the page names; without an address English is shown. */
async function fetchWords(language: Language): Promise<Catalogue | null> {
  const element = elements().find(({ dataset }) => dataset['tag'] === language);
  const address = element?.getAttribute('content');
  if (!element || !address) return element ? {} : null;
  const answer = await fetch(address);
  return answer.ok ? ((await answer.json()) as Catalogue) : null;
}

/** Show another language once its words are there; if they do not come, nothing changes. */
export async function speak(language: Language): Promise<void> {
  wanted = language;
  const fetched = FETCH[`../locale/${language}.json`] ?? (() => fetchWords(language));
  const catalogue = language === 'en' ? {} : await fetched().catch(() => null);
  if (catalogue && wanted === language) spoken = { language, catalogue };
}

/** Speak a language from now on; a browser that keeps nothing forgets it. */
export async function choose(language: Language): Promise<void> {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // it is spoken all the same
  }
  // for the site's next page; the cookie has Django's code of the language
  if (pages()) document.cookie = `language=${language.toLowerCase()};path=/;max-age=${YEAR_S};samesite=lax`;
  await speak(language);
}

/** Return the language in a text, or undefined when we speak none of that name. */
export function languageIn(text: string | null | undefined): Language | undefined {
  return languages().find(({ tag }) => tag === text)?.tag;
}

/** Return the first language that a reader prefers and we speak, English when there is none. */
export function preferred(tags: readonly string[]): Language {
  const [first] = tags.flatMap((wish) => languages().filter(({ locales }) => wish.toLowerCase().match(locales)));
  return first?.tag ?? 'en';
}

function kept(): Language | undefined {
  try {
    return languageIn(localStorage.getItem(KEY));
  } catch {
    return undefined;
  }
}

/** Return the language of the page around the viewer, undefined where it is in no page of the site. */
function pages(): Language | undefined {
  return languageIn(globalThis.document?.documentElement.dataset['language']);
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
