/** Texts beside the characters' names. Translations are in `locale/`, or in the catalogue of a plug-in's language. */

import { createTranslator, language } from '../../replay/translation.svelte';

export const ENGLISH = { used: 'used' } as const;
const CATALOGUES = import.meta.glob<Record<string, string>>('./locale/*.json', { import: 'default', eager: true });

const added = createTranslator('to_court_the_king', ENGLISH);

/** Return a text in the current language. */
export function t(key: keyof typeof ENGLISH): string {
  return CATALOGUES[`./locale/${language()}.json`]?.[key] ?? added(key);
}
