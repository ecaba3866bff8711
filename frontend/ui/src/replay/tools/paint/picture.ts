/** Picture of the displayed board, with a caption, as a PNG file. */

import { t } from '../words';
import { paintElement } from './boxes';
import { wrap } from './style';

export interface Caption {
  readonly say: string;
  /** Match, frame and host. */
  readonly source: string;
}

/** Canvas pixels per CSS pixel. */
const PIXEL_RATIO = 2;
const EDGE = 16;
const LINE = 30;

/** Return a design token as a colour that a canvas accepts. */
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
  if (!ink) throw new Error(t('keep.no-ink'));
  const box = board.getBoundingClientRect();
  const [ground, letters, font] = [token(board, '--page'), token(board, '--ink'), "500 22px 'EB Garamond', Georgia, serif"];
  ink.font = font;
  const lines = wrap(caption.say, box.width, (line) => ink.measureText(line).width);
  const [width, height] = [box.width + 2 * EDGE, box.height + 2 * EDGE + lines.length * LINE + LINE];
  [canvas.width, canvas.height] = [Math.ceil(width * PIXEL_RATIO), Math.ceil(height * PIXEL_RATIO)];
  ink.scale(PIXEL_RATIO, PIXEL_RATIO);
  ink.fillStyle = ground;
  ink.fillRect(0, 0, width, height);
  ink.font = font;
  ink.fillStyle = letters;
  ink.save();
  paintCaption(ink, lines, caption, width, EDGE + box.height);
  ink.restore();
  ink.translate(EDGE - box.x, EDGE - box.y);
  paintElement(ink, board, ink.getTransform());
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(t('keep.too-large')))), 'image/png');
  });
}
