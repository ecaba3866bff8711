/** Pieces glide from where they lay to where they lie, found again by key (first, last, invert, play). */

interface Spot {
  readonly x: number;
  readonly y: number;
}
/** Where each piece lay, by key. */
export type Spots = ReadonlyMap<string, Spot>;

const calm = window.matchMedia('(prefers-reduced-motion: reduce)');
const EASE = 'cubic-bezier(.22,.8,.3,1)';

/** Return where the pieces of a board lie; one hidden in a pile lies where its pile does. */
export function measure(board: HTMLElement): Spots {
  const spots = new Map<string, Spot>();
  for (const pile of board.querySelectorAll<HTMLElement>('[data-pile]')) {
    const { x, y } = pile.getBoundingClientRect();
    for (const key of (pile.dataset['pile'] ?? '').split(' ')) spots.set(key, { x, y });
  }
  for (const piece of board.querySelectorAll<HTMLElement>('[data-piece]')) {
    const { x, y } = piece.getBoundingClientRect();
    spots.set(piece.dataset['piece'] ?? '', { x, y });
  }
  return spots;
}

function glide(piece: HTMLElement, from: Spot, to: Spot, scale: number, duration: number): void {
  const [dx, dy] = [(from.x - to.x) / scale, (from.y - to.y) / scale];
  if (Math.hypot(dx, dy) < 3) return;
  piece.animate([{ transform: `translate(${dx}px, ${dy}px)`, zIndex: 20 }, { transform: 'none', zIndex: 20 }], {
    duration,
    easing: EASE,
  });
}

/** Move every piece from where it lay; new ones fade in, dice of changed zones tumble. */
export function play(board: HTMLElement, before: Spots, duration: number): void {
  if (calm.matches || duration < 60 || before.size === 0) return;
  // what still glides stops first: `before` saw it on its way, the new way starts there
  for (const running of board.getAnimations({ subtree: true })) if (!(running instanceof CSSTransition)) running.cancel();
  const pieces = [...board.querySelectorAll<HTMLElement>('[data-piece]')];
  const scale = board.getBoundingClientRect().width / board.offsetWidth || 1;
  const spots = pieces.map((piece) => piece.getBoundingClientRect());
  for (const [index, piece] of pieces.entries()) {
    const from = before.get(piece.dataset['piece'] ?? '');
    const to = spots[index];
    if (from && to) glide(piece, from, to, scale, duration);
    else piece.animate([{ opacity: 0, transform: 'scale(.85)' }, { opacity: 1, transform: 'none' }], { duration, easing: EASE });
  }
  for (const die of board.querySelectorAll<HTMLElement>('.changed [data-die]')) {
    die.animate([{ transform: 'rotate(-200deg) scale(.6)' }, { transform: 'rotate(14deg) scale(1.1)', offset: 0.7 }, { transform: 'none' }], {
      duration,
      easing: EASE,
    });
  }
}
