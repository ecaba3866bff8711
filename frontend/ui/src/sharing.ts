/** Share links of a match page, which always point to the shown moment. */

/** Maximum number of frames in a clip; the server refuses more. */
const MAX_CLIP_FRAMES = 20;

/** Return a share link for a frame: the frame is its `at` parameter, or the last frame of a clip. */
export function addressAt(address: string, at: number): string {
  const url = new URL(address);
  if (url.searchParams.has('until')) {
    url.searchParams.set('from', String(Math.max(0, at - MAX_CLIP_FRAMES + 1)));
    url.searchParams.set('until', String(at));
  } else url.searchParams.set('at', String(at));
  return url.toString();
}

/** Update the share links whenever the viewer shows another frame. */
export function openSharing(): void {
  const links = document.querySelectorAll<HTMLAnchorElement>('a[data-share]');
  if (links.length === 0) return;
  document.addEventListener('ftk-shown', ({ detail }) => {
    for (const link of links) link.href = addressAt(link.href, detail.at);
  });
}
