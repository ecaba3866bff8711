/** Theatre page: plays a match, cuts from turning point to turning point, and opens the next match at the end. */

import type { ShownFrame } from './replay/shown-event';
import { captionAt, cutFrom, stretchesIn } from './stretches';

/** Time from the last frame to the next match. */
const PAUSE_MS = 7000;
/** Time from the last frame to the standings, which then replace the board. */
const STANDINGS_MS = 3000;
/** Minimum time for which a live match is shown before the page cuts to another one. */
const MIN_LIVE_MS = 20_000;

const programme = (): DOMStringMap => document.querySelector<HTMLElement>('#playbill')?.dataset ?? {};
const viewer = (): HTMLElement | null => document.querySelector<HTMLElement>('ftk-replay');
const prefersReducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Return true if the viewer hides later moments (spoiler-free watching). */
const hidesSpoilers = (): boolean => viewer()?.hasAttribute('veiled') ?? true;

/** Start the playback. Readers who prefer reduced motion start it themselves. */
function startPlayback(): void {
  // the button is found by its icon, because its label depends on the language
  const button = document.querySelector<HTMLButtonElement>('ftk-replay button[data-icon="play"]');
  if (!prefersReducedMotion()) button?.click();
}

function openNextMatch(): void {
  const { next } = programme();
  if (next) location.assign(next);
}

type FrameHandler = (shown: ShownFrame, advances: boolean, first: boolean) => boolean;

/** Return a handler that sets the caption of a shown frame and cuts to the next stretch; it returns true if it cut. */
function createFrameHandler(caption: HTMLElement, openedAt: number): FrameHandler {
  const stretches = stretchesIn(caption.dataset['stretches']);
  const onlyTurns = document.querySelector<HTMLInputElement>('#only-turns');
  return (shown, advances, first) => {
    // captions and cuts are spoilers
    const hidden = hidesSpoilers();
    caption.textContent = hidden ? '' : captionAt(stretches, shown.at) || (programme()['told'] ?? '');
    if (!advances || hidden || prefersReducedMotion() || shown.last) return false;
    const target = onlyTurns?.checked && (first || shown.moving) ? cutFrom(stretches, shown.at) : null;
    if (target !== null) viewer()?.dispatchEvent(new CustomEvent('ftk-cut', { detail: target }));
    const { cut } = programme();
    if (cut && shown.moving && Date.now() - openedAt > MIN_LIVE_MS) location.assign(cut);
    return target !== null;
  };
}

/** Handle the viewer's events: start the playback, cut between stretches, and open the next match. */
export function openTheatre(): void {
  const autoAdvance = document.querySelector<HTMLInputElement>('#go-on');
  const caption = document.querySelector<HTMLElement>('#told');
  if (!autoAdvance || !caption) return;
  const live = programme()['ended'] !== 'yes';
  let played = false;
  let shown: ShownFrame | null = null;
  let timers: readonly ReturnType<typeof setTimeout>[] = [];
  const handleFrame = createFrameHandler(caption, Date.now());
  const showStandings = (over: boolean): void => void document.body.classList.toggle('between', over);
  const update = (): void => {
    timers.forEach(clearTimeout);
    showStandings(false);
    if (!shown) return;
    // a live match plays by itself, except in a spoiler-free viewer, which stops at the first choice
    const begun = played || (live && !hidesSpoilers());
    const cut = handleFrame(shown, autoAdvance.checked, !begun);
    if (!autoAdvance.checked) return;
    if (shown.last) {
      timers = prefersReducedMotion()
        ? []
        : [setTimeout(showStandings, STANDINGS_MS, true), setTimeout(openNextMatch, PAUSE_MS)];
    } else if (!begun) {
      played = true;
      if (!cut) startPlayback();
    }
  };
  document.addEventListener('ftk-shown', (event) => {
    shown = event.detail;
    update();
  });
  // htmx refreshes the programme, which may then name another live match that has turned
  document.addEventListener('htmx:afterSettle', () => {
    if (shown && !shown.last) update();
  });
  autoAdvance.addEventListener('change', update);
}
