/** What a browser keeps of how somebody plays; one that keeps nothing forgets it with the page. */

/** Return what was kept under a name. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keep a text under a name. */
export function keep(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // it holds for this page
  }
}
