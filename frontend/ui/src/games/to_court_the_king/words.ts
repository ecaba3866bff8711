/** Words beside the names of the characters; translations are in `locale/`, or in the words of a plug-in's language. */

import { language, speaker } from '../../replay/speech.svelte';

export const ENGLISH = { used: 'used' } as const;
const CATALOGUES = import.meta.glob<Record<string, string>>('./locale/*.json', { import: 'default', eager: true });

const added = speaker('to_court_the_king', ENGLISH);

/** Return a text in the language that is shown now. */
export function say(key: keyof typeof ENGLISH): string {
  return CATALOGUES[`./locale/${language()}.json`]?.[key] ?? added(key);
}
