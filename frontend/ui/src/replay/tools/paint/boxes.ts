/** Painting of HTML elements and text on a canvas, at their positions on the screen. */

import { endsOf, radiusOf, ringsOf, isVisible, wordsOf } from './style';
import { paintSvg } from './svg';

type Ink = CanvasRenderingContext2D;

function rounded(box: DOMRect, radius: number, grow = 0): Path2D {
  const path = new Path2D();
  path.roundRect(box.x - grow, box.y - grow, box.width + 2 * grow, box.height + 2 * grow, Math.max(0, radius + grow));
  return path;
}

function paintGround(ink: Ink, box: DOMRect, style: CSSStyleDeclaration, path: Path2D, radius: number, scale: number): void {
  for (const { colour, width } of ringsOf(style.boxShadow)) {
    ink.strokeStyle = colour;
    ink.lineWidth = width * scale;
    ink.stroke(rounded(box, radius, (width * scale) / 2));
  }
  const ends = isVisible(style.backgroundColor) ? null : endsOf(style.backgroundImage);
  if (ends) {
    const shade = ink.createLinearGradient(box.x, box.y, box.x + box.width / 3, box.bottom);
    shade.addColorStop(0, ends[0]);
    shade.addColorStop(1, ends[1]);
    ink.fillStyle = shade;
    ink.fill(path);
  } else if (isVisible(style.backgroundColor)) {
    ink.fillStyle = style.backgroundColor;
    ink.fill(path);
  }
}

function paintBorder(ink: Ink, box: DOMRect, style: CSSStyleDeclaration, radius: number, scale: number): void {
  const [top, bottom] = [style.borderTopWidth, style.borderBottomWidth].map((width) => Number.parseFloat(width) * scale) as [number, number];
  if (top > 0 && bottom === 0) {
    ink.fillStyle = style.borderTopColor;
    ink.fillRect(box.x, box.y, box.width, top);
  } else if (top > 0 && style.borderTopStyle !== 'none' && isVisible(style.borderTopColor)) {
    ink.strokeStyle = style.borderTopColor;
    ink.lineWidth = top;
    ink.setLineDash(style.borderTopStyle === 'dashed' ? [4, 3] : []);
    ink.stroke(rounded(box, radius, -top / 2));
    ink.setLineDash([]);
  }
}

function paintWords(ink: Ink, text: Text, style: CSSStyleDeclaration, scale: number): void {
  ink.font = `${style.fontStyle} ${style.fontWeight} ${Number.parseFloat(style.fontSize) * scale}px ${style.fontFamily}`;
  ink.fillStyle = style.color;
  ink.textAlign = 'left';
  ink.textBaseline = 'alphabetic';
  const range = document.createRange();
  for (const [from, to] of wordsOf(text.data)) {
    range.setStart(text, from);
    range.setEnd(text, to);
    const word = text.data.slice(from, to);
    // a word that wraps has a rectangle for each part; it is painted at the first one
    const [box] = range.getClientRects();
    if (!box) continue;
    const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = ink.measureText(word);
    ink.fillText(word, box.x, box.y + (box.height - up - down) / 2 + up);
  }
}

/** Return true if an element is not displayed, or is for screen readers only. */
function isHidden(element: Element, style: CSSStyleDeclaration): boolean {
  return style.display === 'none' || style.visibility === 'hidden' || element.classList.contains('unseen');
}

/** Return the ratio of an element's size on the screen to its layout size. A board without enough space is scaled. */
function scaleOf(element: Element, drawn: DOMRect): number {
  return element instanceof HTMLElement && element.offsetWidth > 0 && drawn.width > 0 ? drawn.width / element.offsetWidth : 1;
}

/** Paint an element and its content. `origin` maps screen coordinates to the canvas. */
export function paintElement(ink: Ink, element: Element, origin: DOMMatrix): void {
  const style = getComputedStyle(element);
  if (isHidden(element, style)) return;
  ink.save();
  ink.globalAlpha *= Number(style.opacity);
  if (element instanceof SVGSVGElement) paintSvg(ink, element, origin);
  else {
    const box = element.getBoundingClientRect();
    const scale = scaleOf(element, box);
    const radius = radiusOf(style.borderTopLeftRadius, box.width / scale, box.height / scale) * scale;
    const path = rounded(box, radius);
    paintGround(ink, box, style, path, radius, scale);
    if (style.overflow === 'hidden' || style.overflow === 'auto') ink.clip(path);
    for (const node of element.childNodes) {
      if (node instanceof Text) paintWords(ink, node, style, scale);
      else if (node instanceof Element) paintElement(ink, node, origin);
    }
    paintBorder(ink, box, style, radius, scale);
  }
  ink.restore();
}
