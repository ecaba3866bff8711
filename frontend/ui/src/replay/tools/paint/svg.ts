/** Painting of inline SVG on a canvas, at its position on the screen. */

type Ink = CanvasRenderingContext2D;

/** Set the canvas's transformation to an element's coordinate system. */
function setTransform(ink: Ink, shape: SVGGraphicsElement, origin: DOMMatrix): void {
  const matrix = shape.getScreenCTM();
  if (matrix) ink.setTransform(origin.multiply(DOMMatrix.fromMatrix(matrix)));
}

function outline(shape: SVGGraphicsElement): Path2D | null {
  if (shape instanceof SVGPathElement) return new Path2D(shape.getAttribute('d') ?? '');
  if (!(shape instanceof SVGCircleElement)) return null;
  const path = new Path2D();
  path.arc(shape.cx.baseVal.value, shape.cy.baseVal.value, shape.r.baseVal.value, 0, 2 * Math.PI);
  return path;
}

function paintShape(ink: Ink, shape: SVGGraphicsElement, path: Path2D): void {
  const style = getComputedStyle(shape);
  if (style.fill !== 'none') {
    ink.fillStyle = style.fill;
    ink.fill(path, shape.getAttribute('fill-rule') === 'evenodd' ? 'evenodd' : 'nonzero');
  }
  if (style.stroke !== 'none') {
    ink.strokeStyle = style.stroke;
    ink.lineWidth = Number.parseFloat(style.strokeWidth);
    ink.lineCap = style.strokeLinecap as CanvasLineCap;
    ink.lineJoin = style.strokeLinejoin as CanvasLineJoin;
    ink.setLineDash(style.strokeDasharray === 'none' ? [] : style.strokeDasharray.split(',').map(Number.parseFloat));
    ink.stroke(path);
  }
}

function paintLetters(ink: Ink, text: SVGTextElement): void {
  const style = getComputedStyle(text);
  const anchors: Readonly<Record<string, CanvasTextAlign>> = { middle: 'center', end: 'right' };
  ink.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  ink.fillStyle = style.fill;
  ink.textAlign = anchors[style.textAnchor] ?? 'left';
  ink.textBaseline = 'alphabetic';
  const at = (name: string): number => Number(text.getAttribute(name) ?? 0);
  ink.fillText(text.textContent.trim(), at('x'), at('y'));
}

/** Paint an SVG element. `origin` maps screen coordinates to the canvas. */
export function paintSvg(ink: Ink, svg: SVGSVGElement, origin: DOMMatrix): void {
  for (const shape of svg.querySelectorAll<SVGGraphicsElement>('path, circle, text')) {
    ink.save();
    setTransform(ink, shape, origin);
    const path = outline(shape);
    if (path) paintShape(ink, shape, path);
    else if (shape instanceof SVGTextElement) paintLetters(ink, shape);
    ink.restore();
  }
}
