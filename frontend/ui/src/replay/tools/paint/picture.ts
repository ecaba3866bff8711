/** A picture of the table to keep: what is on the screen, painted anew, with the sentence under it. */

import { say } from '../words';
import { paintElement } from './boxes';
import { wrap } from './style';

export interface Caption {
  readonly say: string;
  /** Which match and moment it is. */
  readonly source: string;
}

/** As many dots a pixel of the screen is made of. */
const SHARP = 2;
const EDGE = 16;
const LINE = 30;

/** Return a design token as a colour that a canvas takes. */
function token(host: HTMLElement, name: string): string {
  const probe = host.appendChild(document.createElement('i'));
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function paintCaption(ink: CanvasRenderingContext2D, lines: readonly string[], caption: Caption, width: number, top: number): void {
  ink.textAlign = 'center';
  ink.textBaseline = 'alphabetic';
  lines.forEach((line, index) => ink.fillText(line, width / 2, top + 30 + index * LINE));
  ink.font = '12px Inter, sans-serif';
  ink.globalAlpha = 0.7;
  ink.fillText(caption.source, width / 2, top + 24 + lines.length * LINE);
}

/** Return the board as a PNG file. */
export async function picture(board: HTMLElement, caption: Caption): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const ink = canvas.getContext('2d');
  if (!ink) throw new Error(say('keep.no-ink'));
  const box = board.getBoundingClientRect();
  const [ground, letters, font] = [token(board, '--page'), token(board, '--ink'), "500 22px 'EB Garamond', Georgia, serif"];
  ink.font = font;
  const lines = wrap(caption.say, box.width, (line) => ink.measureText(line).width);
  const [width, height] = [box.width + 2 * EDGE, box.height + 2 * EDGE + lines.length * LINE + LINE];
  [canvas.width, canvas.height] = [Math.ceil(width * SHARP), Math.ceil(height * SHARP)];
  ink.scale(SHARP, SHARP);
  ink.fillStyle = ground;
  ink.fillRect(0, 0, width, height);
  ink.font = font;
  ink.fillStyle = letters;
  ink.save();
  paintCaption(ink, lines, caption, width, EDGE + box.height);
  ink.restore();
  ink.translate(EDGE - box.x, EDGE - box.y);
  paintElement(ink, board, ink.getTransform());
  return new Promise((keep, fail) => {
    canvas.toBlob((blob) => (blob ? keep(blob) : fail(new Error(say('keep.too-large')))), 'image/png');
  });
}
