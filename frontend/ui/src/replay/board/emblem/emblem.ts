/** Emblems: layers of SVG paths in a 24 by 24 box. */

export interface Emblem {
  readonly fill?: string;
  /** Line about two units wide. */
  readonly line?: string;
  /** Hole in the fill, painted in the background colour. */
  readonly hole?: string;
  /** Line across the fill, painted in the background colour. */
  readonly cut?: string;
}

/** Return the path of a disc. */
export function dot(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}
