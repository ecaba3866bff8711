/** What every page loads: the styles, htmx, and the switch between day and night. */

import htmx from 'htmx.org';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/pages.css';

// the pages forbid inline styles and evaluated text
htmx.config.includeIndicatorStyles = false;
htmx.config.allowEval = false;
htmx.config.selfRequestsOnly = true;

const YEAR_S = 31_536_000;

/** Turn day to night or back, and remember it for the server to write into the next page. */
function turn(): void {
  const root = document.documentElement;
  const dark = root.dataset['theme'] ? root.dataset['theme'] === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset['theme'] = dark ? 'light' : 'dark';
  document.cookie = `theme=${root.dataset['theme']};path=/;max-age=${YEAR_S};samesite=lax`;
}

document.querySelector('#theme')?.addEventListener('click', turn);
