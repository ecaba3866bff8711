/** Clickable pieces and zones of the board: their marks, also for screen readers, and their event handlers. */

import type { ClickTargets } from './offer';

/** Mark the pieces and zones that can be clicked, and those that are selected. */
export function markClickable(table: HTMLElement, targets: ClickTargets, selected: ReadonlySet<string>): void {
  for (const element of table.querySelectorAll<HTMLElement>('[data-piece], [data-zone]')) {
    const { piece, zone } = element.dataset;
    const key = piece ?? zone ?? '';
    const can = targets.targetOf(key) !== null;
    element.toggleAttribute('data-may', can);
    element.toggleAttribute('data-marked', can && selected.has(key));
    if (piece === undefined) continue;
    element.setAttribute('role', can ? 'button' : 'img');
    if (can) element.setAttribute('aria-pressed', String(selected.has(key)));
    else element.removeAttribute('aria-pressed');
  }
}

/** Return the key of the clickable piece at an event target, otherwise of the clickable zone around it. */
function keyAt(table: HTMLElement, target: EventTarget | null, targets: ClickTargets): string | null {
  if (!(target instanceof Element) || !table.contains(target)) return null;
  const piece = target.closest<HTMLElement>('[data-piece]')?.dataset['piece'];
  if (piece !== undefined && targets.targetOf(piece) !== null) return piece;
  const zone = target.closest<HTMLElement>('[data-zone]')?.dataset['zone'];
  return zone !== undefined && targets.targetOf(zone) !== null ? zone : null;
}

/** Modifier keys of a click. */
type Modifiers = { readonly ctrl: boolean; readonly shift: boolean };

/** Handle clicks, Enter and Space on clickable pieces and zones; return a function that removes the handlers. */
export function listenForClicks(
  table: HTMLElement,
  targets: () => ClickTargets,
  clicked: (key: string, modifiers: Modifiers) => void,
): () => void {
  const listen = new AbortController();
  const { signal } = listen;
  const handle = (event: MouseEvent | KeyboardEvent): boolean => {
    const key = keyAt(table, event.target, targets());
    const isRepeat = event instanceof KeyboardEvent && event.repeat; // a held key would select and deselect in turn
    if (key !== null && !isRepeat) clicked(key, { ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey });
    return key !== null;
  };
  table.addEventListener('click', handle, { signal });
  const press = (event: KeyboardEvent): void => {
    if ((event.key === 'Enter' || event.key === ' ') && handle(event)) event.preventDefault();
  };
  table.addEventListener('keydown', press, { signal });
  return () => listen.abort();
}
