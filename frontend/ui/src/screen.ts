/** Clocks of a league's full-screen page: the time of day, and the duration of each live match. */

const TICK_MS = 1000;

const twoDigits = (count: number): string => String(count).padStart(2, '0');

/** Format a duration such as `4:07`, or `1:04:07` from one hour on; `0:00` if it is negative. */
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

/** Update the clocks of the page every second. Do nothing on other pages. */
export function openScreen(): void {
  if (!document.querySelector('.screen')) return;
  tick();
  setInterval(tick, TICK_MS);
  document.addEventListener('htmx:afterSwap', tick);
}
