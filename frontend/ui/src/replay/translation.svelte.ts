/** Current language of the viewer, and the translation of its texts. */

import LANGUAGES from '../../../../ftk_core/languages.json';
import { ENGLISH, fill, type Translate } from './words';

/** Language that the viewer offers. */
interface Entry {
  readonly tag: Language;
  readonly name: string;
  readonly short: string;
  /** Regular expression for the browser languages that select it. */
  readonly locales: string;
}
export { LANGUAGES };
/** Tag of a language, from the registry or a plug-in. */
export type Language = string;
/** Texts, by part of the viewer and key. */
type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Loaders of the catalogues. English texts are in the code; other languages are loaded on demand. */
const CATALOGUE_LOADERS = import.meta.glob<Catalogue>('../locale/*.json');
const KEY = 'ftk-language';
const YEAR_S = 31_536_000;

let current = $state.raw<{ readonly language: Language; readonly catalogue: Catalogue }>({
  language: 'en',
  catalogue: {},
});
let requested: Language = 'en';

/** Return the current language. */
export function language(): Language {
  return current.language;
}

/** Return a translation function for a part of the viewer. It returns English texts if there is no translation. */
export function createTranslator<Key extends string>(part: string, english: Readonly<Record<Key, string>>) {
  return (key: Key, values?: Readonly<Record<string, string | number>>): string =>
    fill(current.catalogue[part]?.[key] || english[key], values);
}

/** Return a text of the viewer in the current language. */
export const t: Translate<typeof ENGLISH> = createTranslator('viewer', ENGLISH);

/** Return the `<meta>` elements in which the page lists the languages of plug-ins. */
function pluginLanguageElements(): readonly HTMLElement[] {
  return [...(globalThis.document?.getElementsByName?.('viewer-language') ?? [])];
}

/** Return all languages: the built-in ones, then those of plug-ins. */
export function languages(): readonly Entry[] {
  const added = pluginLanguageElements().map(({ dataset }) => dataset as unknown as Entry);
  return [...LANGUAGES, ...added.map(({ tag, name, short, locales }) => ({ tag, name, short, locales }))];
}

/** Fetch the catalogue of a plug-in's language; empty (all English) without an address, null if it is not available. */
async function fetchPluginCatalogue(language: Language): Promise<Catalogue | null> {
  const element = pluginLanguageElements().find(({ dataset }) => dataset['tag'] === language);
  const address = element?.getAttribute('content');
  if (!element || !address) return element ? {} : null;
  const answer = await fetch(address);
  return answer.ok ? ((await answer.json()) as Catalogue) : null;
}

/** Switch to another language once its catalogue is loaded. If the catalogue fails to load, nothing changes. */
export async function loadLanguage(language: Language): Promise<void> {
  requested = language;
  const fetched = CATALOGUE_LOADERS[`../locale/${language}.json`] ?? (() => fetchPluginCatalogue(language));
  const catalogue = language === 'en' ? {} : await fetched().catch(() => null);
  if (catalogue && requested === language) current = { language, catalogue };
}

/** Switch to a language, and remember it for other pages. */
export async function chooseLanguage(language: Language): Promise<void> {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // local storage is not available: the choice applies to this page
  }
  // the site's next page reads the cookie, which contains Django's language code
  if (pageLanguage()) document.cookie = `language=${language.toLowerCase()};path=/;max-age=${YEAR_S};samesite=lax`;
  await loadLanguage(language);
}

/** Return the language with this tag; undefined if the viewer does not offer it. */
export function languageIn(text: string | null | undefined): Language | undefined {
  return languages().find(({ tag }) => tag === text)?.tag;
}

/** Return the first preferred language that the viewer offers; English if there is none. */
export function preferredLanguage(tags: readonly string[]): Language {
  const [first] = tags.flatMap((wish) => languages().filter(({ locales }) => wish.toLowerCase().match(locales)));
  return first?.tag ?? 'en';
}

function storedLanguage(): Language | undefined {
  try {
    return languageIn(localStorage.getItem(KEY));
  } catch {
    return undefined;
  }
}

/** Return the language of the surrounding page; undefined outside the site. */
function pageLanguage(): Language | undefined {
  return languageIn(globalThis.document?.documentElement.dataset['language']);
}

/** Return the initial language: from the address, the page, local storage or the browser, in this order. */
export function firstLanguage(address: string): Language {
  const inAddress = languageIn(new URL(address).searchParams.get('lang'));
  return inAddress ?? pageLanguage() ?? storedLanguage() ?? preferredLanguage(navigator.languages);
}

/** Return the address with the language, or without it if the viewer would choose this language anyway. */
export function writeLanguage(address: string, language: Language): string {
  const url = new URL(address);
  const usual = preferredLanguage(navigator.languages);
  if (language === usual && (storedLanguage() ?? usual) === usual) url.searchParams.delete('lang');
  else url.searchParams.set('lang', language);
  return url.toString();
}
