/** What on the table can be clicked, and what is: marked for the eye and for a screen reader, and heard of. */

import type { Reach } from './offer';

/** Mark the pieces and zones that a menu is about, and those that are selected. */
export function mark(table: HTMLElement, reach: Reach, selected: ReadonlySet<string>): void {
  for (const element of table.querySelectorAll<HTMLElement>('[data-piece], [data-zone]')) {
    const { piece, zone } = element.dataset;
    const key = piece ?? zone ?? '';
    const can = reach.as(key) !== null;
    element.toggleAttribute('data-may', can);
    element.toggleAttribute('data-marked', can && selected.has(key));
    if (piece === undefined) continue;
    element.setAttribute('role', can ? 'button' : 'img');
    if (can) element.setAttribute('aria-pressed', String(selected.has(key)));
    else element.removeAttribute('aria-pressed');
  }
}

/** Return the piece that an event is at, or the zone around it, if it can be clicked. */
function keyAt(table: HTMLElement, target: EventTarget | null, reach: Reach): string | null {
  if (!(target instanceof Element) || !table.contains(target)) return null;
  const piece = target.closest<HTMLElement>('[data-piece]')?.dataset['piece'];
  if (piece !== undefined && reach.as(piece) !== null) return piece;
  const zone = target.closest<HTMLElement>('[data-zone]')?.dataset['zone'];
  return zone !== undefined && reach.as(zone) !== null ? zone : null;
}

type Held = { readonly ctrl: boolean; readonly shift: boolean };

/** Hear what is clicked, or pressed with Enter or Space, until the function is called that this returns. */
export function hearClicks(table: HTMLElement, reach: () => Reach, clicked: (key: string, held: Held) => void): () => void {
  const listen = new AbortController();
  const { signal } = listen;
  const hear = (event: MouseEvent | KeyboardEvent): boolean => {
    const key = keyAt(table, event.target, reach());
    const isRepeat = event instanceof KeyboardEvent && event.repeat; // a held key would select and deselect in turn
    if (key !== null && !isRepeat) clicked(key, { ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey });
    return key !== null;
  };
  table.addEventListener('click', hear, { signal });
  const press = (event: KeyboardEvent): void => {
    if ((event.key === 'Enter' || event.key === ' ') && hear(event)) event.preventDefault();
  };
  table.addEventListener('keydown', press, { signal });
  return () => listen.abort();
}
