/** The theatre: a replay begins by itself, cuts from turning point to turning point, and the next match follows. */

import type { Shown } from './replay/shown';
import { cutFrom, stretchesIn, toldAt } from './stretches';

/** How long the last picture stands before the next match. */
const PAUSE_MS = 7000;
/** When the standings are shown instead of it, for the rest of the time. */
const STANDINGS_MS = 3000;
/** So long a live match is shown at least before the stage cuts to another one. */
const STAND_MS = 20_000;

const bill = (): DOMStringMap => document.querySelector<HTMLElement>('#playbill')?.dataset ?? {};
const viewer = (): HTMLElement | null => document.querySelector<HTMLElement>('ftk-replay');
const still = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Whether the viewer keeps back what is to come. */
const isVeiled = (): boolean => viewer()?.hasAttribute('veiled') ?? true;

/** Begin what is there to be played from the beginning; a visitor who wants no movement begins it. */
function begin(): void {
  // the viewer is asked by what its button does: what it is called depends on the language
  if (!still()) document.querySelector<HTMLButtonElement>('ftk-replay button[data-icon="play"]')?.click();
}

function goOn(): void {
  const { next } = bill();
  if (next) location.assign(next);
}

/** Return what is done with each picture: it is told what turns there, and what turns nothing is left out. */
function turning(told: HTMLElement, opened: number): (shown: Shown, lets: boolean, first: boolean) => boolean {
  const stretches = stretchesIn(told.dataset['stretches']);
  const only = document.querySelector<HTMLInputElement>('#only-turns');
  return (shown, lets, first) => {
    // whoever does not want to know what is to come is not led to it
    const veiled = isVeiled();
    told.textContent = veiled ? '' : toldAt(stretches, shown.at) || (bill()['told'] ?? '');
    if (!lets || veiled || still() || shown.last) return false;
    const there = only?.checked && (first || shown.moving) ? cutFrom(stretches, shown.at) : null;
    if (there !== null) viewer()?.dispatchEvent(new CustomEvent('ftk-cut', { detail: there }));
    const { cut } = bill();
    if (cut && shown.moving && Date.now() - opened > STAND_MS) location.assign(cut);
    return there !== null;
  };
}

/** Begin, and go on, when the viewer says that it is time to. */
export function openTheatre(): void {
  const lets = document.querySelector<HTMLInputElement>('#go-on');
  const told = document.querySelector<HTMLElement>('#told');
  if (!lets || !told) return;
  const live = bill()['ended'] !== 'yes';
  let played = false;
  let shown: Shown | null = null;
  let timers: readonly ReturnType<typeof setTimeout>[] = [];
  const turn = turning(told, Date.now());
  const between = (over: boolean): void => void document.body.classList.toggle('between', over);
  const look = (): void => {
    timers.forEach(clearTimeout);
    between(false);
    if (!shown) return;
    // a live match runs by itself, but a viewer that keeps back what is to come stands at its first choice
    const begun = played || (live && !isVeiled());
    const cut = turn(shown, lets.checked, !begun);
    if (!lets.checked) return;
    if (shown.last) timers = still() ? [] : [setTimeout(between, STANDINGS_MS, true), setTimeout(goOn, PAUSE_MS)];
    else if (!begun) {
      played = true;
      if (!cut) begin();
    }
  };
  document.addEventListener('ftk-shown', (event) => {
    shown = event.detail;
    look();
  });
  // the programme is asked for again and again: another live match may have turned
  document.addEventListener('htmx:afterSettle', () => {
    if (shown && !shown.last) look();
  });
  lets.addEventListener('change', look);
}
