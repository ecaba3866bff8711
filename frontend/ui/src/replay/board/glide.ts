/** Animation of pieces from their old to their new positions, matched by key (the FLIP technique). */

interface Point {
  readonly x: number;
  readonly y: number;
}
/** Positions of pieces in the viewport, by key. */
export type PiecePositions = ReadonlyMap<string, Point>;

const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)');
const EASE = 'cubic-bezier(.22,.8,.3,1)';

/** Return the positions of a board's pieces. A piece that is not drawn has the position of its pile. */
export function measure(board: HTMLElement): PiecePositions {
  const positions = new Map<string, Point>();
  for (const pile of board.querySelectorAll<HTMLElement>('[data-pile]')) {
    const { x, y } = pile.getBoundingClientRect();
    for (const key of (pile.dataset['pile'] ?? '').split(' ')) positions.set(key, { x, y });
  }
  for (const piece of board.querySelectorAll<HTMLElement>('[data-piece]')) {
    const { x, y } = piece.getBoundingClientRect();
    positions.set(piece.dataset['piece'] ?? '', { x, y });
  }
  return positions;
}

function glide(piece: HTMLElement, from: Point, to: Point, scale: number, duration: number): void {
  const [dx, dy] = [(from.x - to.x) / scale, (from.y - to.y) / scale];
  if (Math.hypot(dx, dy) < 3) return;
  piece.animate([{ transform: `translate(${dx}px, ${dy}px)`, zIndex: 20 }, { transform: 'none', zIndex: 20 }], {
    duration,
    easing: EASE,
  });
}

/** Animate every piece from its old position. New pieces fade in; dice in changed zones tumble. */
export function play(board: HTMLElement, before: PiecePositions, duration: number): void {
  if (reducedMotion.matches || duration < 60 || before.size === 0) return;
  // running animations stop first: `before` was measured during them, so the new ones start where they were
  for (const running of board.getAnimations({ subtree: true })) if (!(running instanceof CSSTransition)) running.cancel();
  const pieces = [...board.querySelectorAll<HTMLElement>('[data-piece]')];
  const scale = board.getBoundingClientRect().width / board.offsetWidth || 1;
  const positions = pieces.map((piece) => piece.getBoundingClientRect());
  for (const [index, piece] of pieces.entries()) {
    const from = before.get(piece.dataset['piece'] ?? '');
    const to = positions[index];
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
