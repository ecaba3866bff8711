/** Times in the reader's time zone. Without this script the pages show UTC. */

const CLOCK_TEXT = /^\d\d?:\d\d/;
const SECONDS_TEXT = /\d:\d\d:\d\d/;

/** Format a `datetime` attribute in a language and time zone, as exactly as the server did; '' if it is invalid. */
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

/** Show every time of the page in the reader's time zone. The server's text becomes the title. */
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

/** Format the remaining time, such as `1:05:09`; '' if it is more than a day, or over. */
export function writeTimeLeft(until: string, now: number): string {
  const seconds = Math.floor((new Date(until).getTime() - now) / 1000);
  if (!(seconds >= 0 && 1000 * seconds < COUNTED_MS)) return '';
  const digits = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${digits((seconds / 60) % 60)}:${digits(seconds % 60)}`;
}

/** Update every countdown of the page. Before the last day the server's text stays. */
function showTimesLeft(): void {
  for (const text of document.querySelectorAll<HTMLElement>('.countdown[data-until]')) {
    const left = writeTimeLeft(text.dataset['until'] ?? '', Date.now());
    if (left) text.textContent = (text.dataset['text'] ?? '{left}').replace('{left}', left);
  }
}

/** Add minutes to a value of a `datetime-local` field, which has no time zone; return '' if it is invalid. */
function shift(written: string, minutes: number): string {
  const at = new Date(`${written}Z`);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() + 60_000 * minutes).toISOString().slice(0, 16);
}

/** Convert a `datetime-local` value from UTC to the reader's time zone; return '' if it is invalid. */
export function toLocalValue(utc: string): string {
  return utc && shift(utc, -new Date(`${utc}Z`).getTimezoneOffset());
}

/** Convert a `datetime-local` value from the reader's time zone to UTC; return '' if it is invalid. */
export function toUtcValue(local: string): string {
  return local && shift(local, new Date(local).getTimezoneOffset());
}

/** Let the reader enter a time in their time zone. A hidden field sends it in UTC. */
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
  // the form is `novalidate`, and an incomplete time has an empty value, so that it would be sent as no time
  field.form?.addEventListener('submit', (event) => {
    if (!field.validity.badInput) return;
    event.preventDefault();
    field.reportValidity();
  });
  const help = document.getElementById(`${field.id}_helptext`);
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (help) help.textContent = (field.dataset['zoneHelp'] ?? '').replace('{zone}', zone);
}

/** Show local times on the page, and again after htmx replaces a part of it. */
export function openTimes(): void {
  showLocalTimes();
  showTimesLeft();
  if (document.querySelector('[data-until]')) setInterval(showTimesLeft, 1000);
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-zone-help]')) openTimeField(field);
  document.addEventListener('htmx:afterSwap', showLocalTimes);
  document.addEventListener('htmx:afterSwap', showTimesLeft);
}
