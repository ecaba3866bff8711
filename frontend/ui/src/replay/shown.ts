/** What the viewer tells the page around it: `ftk-shown` with every picture. */

export interface Shown {
  /** The number of its frame. */
  readonly at: number;
  /** Whether this is the last picture that there will ever be. */
  readonly last: boolean;
  /** Whether the next one comes by itself: it is played, or followed live. */
  readonly moving: boolean;
}

declare global {
  interface DocumentEventMap {
    'ftk-shown': CustomEvent<Shown>;
    /** To a viewer: cut to the frame of this number if it is there, and play on. */
    'ftk-cut': CustomEvent<number>;
  }
}

/** Tell the page which picture is shown. */
export function tellShown(viewer: HTMLElement, shown: Shown): void {
  viewer.dispatchEvent(new CustomEvent('ftk-shown', { bubbles: true, detail: shown }));
}
