/** Events between the viewer and the surrounding page: `ftk-shown` from the viewer, `ftk-cut` to it. */

export interface ShownFrame {
  /** Number of the frame. */
  readonly at: number;
  /** True for the last frame of a finished match. */
  readonly last: boolean;
  /** True if the next frame follows without input: by playback, or in a live match. */
  readonly moving: boolean;
}

declare global {
  interface DocumentEventMap {
    /** Report of each shown frame. */
    'ftk-shown': CustomEvent<ShownFrame>;
    /** Request to go to the frame of this number if it has arrived, and to play. */
    'ftk-cut': CustomEvent<number>;
  }
}

/** Report a shown frame to the page. */
export function dispatchShown(viewer: HTMLElement, shown: ShownFrame): void {
  viewer.dispatchEvent(new CustomEvent('ftk-shown', { bubbles: true, detail: shown }));
}
