/** Entry point of every page: styles, htmx, and the switch between light and dark mode. */

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

// the Content-Security-Policy of the pages forbids inline styles and eval
htmx.config.includeIndicatorStyles = false;
htmx.config.allowEval = false;
htmx.config.selfRequestsOnly = true;

/** True for attributes that an update may change. `open` stays, so that opened details stay open. */
const keepOpen = (name: string): boolean => name !== 'open';
/** True for nodes that an update may change. Content that the reader fetched stays in place. */
const notFetched = (node: Node): boolean => !(node instanceof HTMLElement && 'fetched' in node.dataset);
const MORPH_CALLBACKS = {
  beforeAttributeUpdated: keepOpen,
  beforeNodeMorphed: notFetched,
  beforeNodeRemoved: notFetched,
};

// hx-swap="morph" changes only what differs, so that scroll positions, opened notes and the focus stay
htmx.defineExtension('morph', {
  isInlineSwap: (style) => style === 'morph',
  handleSwap(style, target, fragment) {
    if (style !== 'morph' || !(fragment instanceof DocumentFragment)) return false;
    const swapped = Idiomorph.morph(target, fragment.children, { callbacks: MORPH_CALLBACKS });
    return Array.isArray(swapped) ? swapped : true;
  },
});

const YEAR_S = 31_536_000;

/** Switch between light and dark mode. The server reads the cookie to render the next page in the same mode. */
function toggleTheme(): void {
  const root = document.documentElement;
  const dark = root.dataset['theme'] ? root.dataset['theme'] === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset['theme'] = dark ? 'light' : 'dark';
  document.cookie = `theme=${root.dataset['theme']};path=/;max-age=${YEAR_S};samesite=lax`;
}

document.querySelector('#theme')?.addEventListener('click', toggleTheme);
if (matchMedia('(hover: hover)').matches) document.querySelector<HTMLElement>('.announce.fresh [name=name]')?.focus({ preventScroll: true });
openDraft();
openTheatre();
openScreen();
openSharing();
openTiebreaks();
openTimes();
