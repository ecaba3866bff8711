/** What the viewer tells the page around it: `ftk-shown` with every picture. */

export interface Shown {
  /** The number of its frame. */
  readonly at: number;
  /** Whether this is the last picture that there will ever be. */
  readonly last: boolean;
}

declare global {
  interface DocumentEventMap {
    'ftk-shown': CustomEvent<Shown>;
  }
}

/** Tell the page which picture is shown. */
export function tellShown(viewer: HTMLElement, shown: Shown): void {
  viewer.dispatchEvent(new CustomEvent('ftk-shown', { bubbles: true, detail: shown }));
}
