/** How large a table is drawn so that all of it has room, as far as it stays readable. */

export const LARGEST = 1.15;
export const LEAST = 0.5;
/** As near as this to the largest scale that fits is near enough. */
const NEAR = 0.01;

/** Return the largest scale from `least` to `most` of which `fits` says that it fits; `least` where none does. */
export function largestFit(fits: (scale: number) => boolean, most = LARGEST, least = LEAST): number {
  if (fits(most)) return most;
  let [low, high] = [least, most];
  while (high - low > NEAR) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
