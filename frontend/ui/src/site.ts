/** What every page loads: the styles, htmx, and the switch between day and night. */

import htmx from 'htmx.org';
import { Idiomorph } from 'idiomorph';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/sheets.css';
import './styles/figures.css';
import './styles/pages.css';
import './styles/forms.css';
import './styles/leagues.css';
import './styles/announce.css';
import './styles/records.css';
import './styles/theatre.css';
import './styles/screen.css';
import { openDraft } from './draft';
import { openScreen } from './screen';
import { openSharing } from './sharing';
import { openTheatre } from './theatre';
import { openTiebreaks } from './tiebreaks';
import { openTimes } from './times';

// the pages forbid inline styles and evaluated text
htmx.config.includeIndicatorStyles = false;
htmx.config.allowEval = false;
htmx.config.selfRequestsOnly = true;

/** What a visitor opened stays open when a page brings itself up to date, and what they fetched stays where it is. */
const keepOpen = (name: string): boolean => name !== 'open';
const notFetched = (node: Node): boolean => !(node instanceof HTMLElement && 'fetched' in node.dataset);
const KEPT = { beforeAttributeUpdated: keepOpen, beforeNodeMorphed: notFetched, beforeNodeRemoved: notFetched };

// hx-swap="morph" changes only what is new: the scrolled table, the opened note and the focus stay as they were
htmx.defineExtension('morph', {
  isInlineSwap: (style) => style === 'morph',
  handleSwap(style, target, fragment) {
    if (style !== 'morph' || !(fragment instanceof DocumentFragment)) return false;
    const swapped = Idiomorph.morph(target, fragment.children, { callbacks: KEPT });
    return Array.isArray(swapped) ? swapped : true;
  },
});

const YEAR_S = 31_536_000;

/** Turn day to night or back, and remember it for the server to write into the next page. */
function turn(): void {
  const root = document.documentElement;
  const dark = root.dataset['theme'] ? root.dataset['theme'] === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset['theme'] = dark ? 'light' : 'dark';
  document.cookie = `theme=${root.dataset['theme']};path=/;max-age=${YEAR_S};samesite=lax`;
}

document.querySelector('#theme')?.addEventListener('click', turn);
if (matchMedia('(hover: hover)').matches) document.querySelector<HTMLElement>('.announce.fresh [name=name]')?.focus({ preventScroll: true });
openDraft();
openTheatre();
openScreen();
openSharing();
openTiebreaks();
openTimes();
