/** An emblem: layers of paths in a 24 by 24 box. */

export interface Emblem {
  readonly fill?: string;
  /** Drawn as a line two units wide. */
  readonly line?: string;
  /** Cut out of the fill: painted in the colour of the ground. */
  readonly hole?: string;
  /** A line cut out of the fill. */
  readonly cut?: string;
}

/** Return the path of a disc. */
export function dot(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}
