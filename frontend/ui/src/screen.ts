/** The screen of a league in a room: the time of day, and how long each live match has taken. */

const TICK_MS = 1000;

const twoDigits = (count: number): string => String(count).padStart(2, '0');

/** Return a duration such as `4:07`, or `1:04:07` from an hour on; '0:00' for a start that has not come. */
export function writeDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours ? `${hours}:${twoDigits(minutes)}:${twoDigits(rest)}` : `${minutes}:${twoDigits(rest)}`;
}

function tick(): void {
  const now = new Date();
  for (const clock of document.querySelectorAll('[data-clock]')) {
    clock.textContent = `${twoDigits(now.getHours())}:${twoDigits(now.getMinutes())}`;
  }
  for (const since of document.querySelectorAll<HTMLElement>('[data-since]')) {
    since.textContent = writeDuration(now.getTime() - Date.parse(since.dataset['since'] ?? ''));
  }
}

/** Keep the clocks of the page right; does nothing on pages without clocks. */
export function openScreen(): void {
  if (!document.querySelector('.screen')) return;
  tick();
  setInterval(tick, TICK_MS);
  document.addEventListener('htmx:afterSwap', tick);
}
