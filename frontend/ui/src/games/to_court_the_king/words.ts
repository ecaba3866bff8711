/** What the characters of To Court the King say beside their names; other languages are in `locale/`. */

import { language } from '../../replay/speech.svelte';

export const ENGLISH = { used: 'used' } as const;
const CATALOGUES = import.meta.glob<Record<string, string>>('./locale/*.json', { import: 'default', eager: true });

/** Return a text in the language that is spoken now. */
export function say(key: keyof typeof ENGLISH): string {
  return CATALOGUES[`./locale/${language()}.json`]?.[key] ?? ENGLISH[key];
}
