/** Access to local storage that does not fail in browsers that forbid it. */

/** Return the stored text; null if there is none. */
export function readItem(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function writeItem(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // the setting applies to this page only
  }
}
