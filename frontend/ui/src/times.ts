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

const COUNTED_MS = 24 * 3_600_000;

/** Return the time that is left, such as `1:05:09`; '' for more than a day, and after the end. */
export function writeTimeLeft(until: string, now: number): string {
  const seconds = Math.floor((new Date(until).getTime() - now) / 1000);
  if (!(seconds >= 0 && 1000 * seconds < COUNTED_MS)) return '';
  const digits = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${digits((seconds / 60) % 60)}:${digits(seconds % 60)}`;
}

/** Write the time that is left into every countdown of the page; the last day is counted in seconds. */
function showTimesLeft(): void {
  for (const text of document.querySelectorAll<HTMLElement>('.countdown[data-until]')) {
    const left = writeTimeLeft(text.dataset['until'] ?? '', Date.now());
    if (left) text.textContent = (text.dataset['text'] ?? '{left}').replace('{left}', left);
  }
}

/** Return the time of a `datetime-local` field, which has no zone, as if it were so many minutes later. */
function shift(written: string, minutes: number): string {
  const at = new Date(`${written}Z`);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() + 60_000 * minutes).toISOString().slice(0, 16);
}

/** Return the value of a `datetime-local` field in UTC as a value in the reader's zone; '' if it is no time. */
export function toLocalValue(utc: string): string {
  return utc && shift(utc, -new Date(`${utc}Z`).getTimezoneOffset());
}

/** Return the value of a `datetime-local` field in the reader's zone as a value in UTC; '' if it is no time. */
export function toUtcValue(local: string): string {
  return local && shift(local, new Date(local).getTimezoneOffset());
}

/** Let a time be typed in the reader's zone; a hidden field sends it in UTC. */
function openTimeField(field: HTMLInputElement): void {
  const sent = document.createElement('input');
  sent.type = 'hidden';
  sent.name = field.name;
  sent.value = field.value;
  field.removeAttribute('name');
  field.value = toLocalValue(sent.value);
  field.after(sent);
  field.addEventListener('input', () => {
    sent.value = toUtcValue(field.value);
  });
  // the form is `novalidate`, and a time of which a part is missing has no value: it would be sent as no time at all
  field.form?.addEventListener('submit', (event) => {
    if (!field.validity.badInput) return;
    event.preventDefault();
    field.reportValidity();
  });
  const help = document.getElementById(`${field.id}_helptext`);
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (help) help.textContent = (field.dataset['zoneHelp'] ?? '').replace('{zone}', zone);
}

/** Show local times on the page, and again after a part of it is replaced. */
export function openTimes(): void {
  showLocalTimes();
  showTimesLeft();
  if (document.querySelector('[data-until]')) setInterval(showTimesLeft, 1000);
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-zone-help]')) openTimeField(field);
  document.addEventListener('htmx:afterSwap', showLocalTimes);
  document.addEventListener('htmx:afterSwap', showTimesLeft);
}
