/** What can be shared of a match follows the viewer: the addresses beside it name the moment that is shown. */

/** How many frames a clip shows at most; the server refuses more. */
const MOST = 20;

/** Write the number of a frame into an address: as its `at`, or as the last of the frames of a clip. */
export function addressAt(address: string, at: number): string {
  const url = new URL(address);
  if (url.searchParams.has('until')) {
    url.searchParams.set('from', String(Math.max(0, at - MOST + 1)));
    url.searchParams.set('until', String(at));
  } else url.searchParams.set('at', String(at));
  return url.toString();
}

/** Keep the addresses up to date, from the first picture on. */
export function openSharing(): void {
  const links = document.querySelectorAll<HTMLAnchorElement>('a[data-share]');
  if (links.length === 0) return;
  document.addEventListener('ftk-shown', ({ detail }) => {
    for (const link of links) link.href = addressAt(link.href, detail.at);
  });
}
