/** Times of pages in the zone of their reader; without this script they are in UTC. */

const CLOCK_TEXT = /^\d\d?:\d\d/;
const SECONDS_TEXT = /\d:\d\d:\d\d/;

/** Return the time of a `datetime` attribute in a language and zone, as exact as the server wrote it; '' if it is no time. */
export function writeLocalTime(datetime: string, written: string, language: string, zone?: string): string {
  const at = new Date(datetime);
  if (Number.isNaN(at.getTime())) return '';
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    ...(CLOCK_TEXT.test(written) ? {} : { dateStyle: 'medium' as const }),
    timeStyle: SECONDS_TEXT.test(written) ? 'medium' : 'short',
    hourCycle: 'h23',
    ...(zone ? { timeZone: zone } : {}),
  }).format(at);
}

/** Write every time of the page in the reader's zone; the time that the server wrote becomes its title. */
function showLocalTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[datetime]')) {
    const written = time.title || (time.textContent ?? '').trim();
    const local = writeLocalTime(time.dateTime, written, document.documentElement.lang);
    if (!local || !written) continue;
    time.title = written.endsWith('UTC') ? written : `${written} UTC`;
    time.textContent = local;
  }
}

/** Show local times on the page, and again after a part of it is replaced. */
export function openTimes(): void {
  showLocalTimes();
  document.addEventListener('htmx:afterSwap', showLocalTimes);
}
