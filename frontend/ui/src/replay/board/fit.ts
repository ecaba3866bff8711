/** Scale at which a board fits its container, within the limits of readability. */

export const LARGEST = 1.15;
export const LEAST = 0.5;
/** Precision of the search. */
const TOLERANCE = 0.01;

/** Return the largest scale from `least` to `most` for which `fits` returns true; `least` if there is none. */
export function largestFit(fits: (scale: number) => boolean, most = LARGEST, least = LEAST): number {
  if (fits(most)) return most;
  let [low, high] = [least, most];
  while (high - low > TOLERANCE) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
