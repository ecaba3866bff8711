/** The theatre: a replay begins by itself, and when a match is over the next one follows, if the visitor lets it. */

const LOOK_MS = 1000;
/** How long the last picture stands before the next match. */
const PAUSE_MS = 7000;

// the viewer is asked by what its buttons are called, as a visitor would
const button = (label: string): HTMLButtonElement | null =>
  document.querySelector(`ftk-replay button[aria-label^="${label}"]`);

const bill = (): DOMStringMap => document.querySelector<HTMLElement>('#playbill')?.dataset ?? {};

/** Whether the last picture of a match that is over is shown. */
function over(): boolean {
  return bill()['ended'] === 'yes' && button('One step on')?.disabled === true && button('Play')?.disabled === false;
}

/** Whether the match was over when the page came, and is there to be played from the beginning. */
function ready(): boolean {
  return button('Play')?.disabled === false && button('One step on')?.disabled === false;
}

/** Look now and then whether it is time to begin or to go on. */
export function openTheatre(): void {
  const goOn = document.querySelector<HTMLInputElement>('#go-on');
  if (!goOn) return;
  let begun = bill()['ended'] !== 'yes';
  let since = 0;
  setInterval(() => {
    if (!begun && goOn.checked && ready()) {
      begun = true;
      if (!matchMedia('(prefers-reduced-motion: reduce)').matches) button('Play')?.click();
    }
    if (!over() || !goOn.checked) since = 0;
    else if (since === 0) since = Date.now();
    else if (Date.now() - since > PAUSE_MS) {
      since = Infinity;
      const next = bill()['next'];
      if (next) location.assign(next);
    }
  }, LOOK_MS);
}
