/** Drawings that nobody waits for. */

import type { Drawing } from './skin';

/** Return what gives a drawing once it has come; it is fetched when it is first wanted, and again if it did not come. */
export function lazily(fetch: () => Promise<{ readonly default: Drawing }>): () => Drawing | null {
  let drawing = $state.raw<Drawing | null>(null);
  let asked = false;
  return () => {
    if (!asked) {
      asked = true;
      fetch().then(
        (part) => (drawing = part.default),
        () => (asked = false),
      );
    }
    return drawing;
  };
}
