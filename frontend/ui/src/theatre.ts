/** The theatre: a replay begins by itself, and when a match is over the next one follows, if the visitor lets it. */

import type { Shown } from './replay/shown';

/** How long the last picture stands before the next match. */
const PAUSE_MS = 7000;
/** When the standings are shown instead of it, for the rest of the time. */
const STANDINGS_MS = 3000;

const bill = (): DOMStringMap => document.querySelector<HTMLElement>('#playbill')?.dataset ?? {};

/** Begin what is there to be played from the beginning; a visitor who wants no movement begins it. */
function begin(): void {
  // the viewer is asked by what its button does: what it is called depends on the language
  const play = document.querySelector<HTMLButtonElement>('ftk-replay button[data-icon="play"]');
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) play?.click();
}

function goOn(): void {
  const { next } = bill();
  if (next) location.assign(next);
}

/** Begin, and go on, when the viewer says that it is time to. */
export function openTheatre(): void {
  const lets = document.querySelector<HTMLInputElement>('#go-on');
  if (!lets) return;
  let begun = bill()['ended'] !== 'yes';
  let shown: Shown | null = null;
  let timers: readonly ReturnType<typeof setTimeout>[] = [];
  const between = (over: boolean): void => void document.body.classList.toggle('between', over);
  const look = (): void => {
    timers.forEach(clearTimeout);
    between(false);
    if (!lets.checked || !shown) return;
    if (shown.last) timers = [setTimeout(between, STANDINGS_MS, true), setTimeout(goOn, PAUSE_MS)];
    else if (!begun) {
      begun = true;
      begin();
    }
  };
  document.addEventListener('ftk-shown', (event) => {
    shown = event.detail;
    look();
  });
  lets.addEventListener('change', look);
}
