/** Line chart of a meter, drawn by uPlot. */

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface Plot {
  /** Replace the columns. */
  draw(columns: (number | null)[][]): void;
  /** Mark the shown moment by its index. */
  mark(index: number): void;
  resize(): void;
  destroy(): void;
}

const HEIGHT = 150;
const stepped = uPlot.paths.stepped?.({ align: 1 }) ?? null;

/** Return a design token as a colour for a canvas. It is read at each drawing, because the theme may change. */
function colour(host: HTMLElement, name: string): string {
  host.style.color = `var(${name})`;
  return getComputedStyle(host).color;
}

/** Create a chart in a host element. `go` is called with the index of a clicked moment. */
export function plot(host: HTMLElement, names: readonly string[], go: (index: number) => void): Plot {
  let here = 0;
  const axis = {
    stroke: () => colour(host, '--soft'),
    font: '11px Inter, sans-serif',
    size: 34,
    grid: { stroke: () => colour(host, '--line'), width: 1 },
    ticks: { show: false },
  };
  const chart = new uPlot(
    {
      width: host.clientWidth,
      height: HEIGHT,
      padding: [8, 8, 8, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
      scales: { x: { time: false } },
      axes: [{ ...axis, show: false }, axis],
      series: [
        {},
        ...names.map((name, seat) => ({
          label: name,
          stroke: () => colour(host, `--seat-${seat}`),
          width: 2,
          points: { show: false },
          ...(stepped ? { paths: stepped } : {}),
        })),
      ],
      hooks: {
        draw: [
          (self) => {
            const x = Math.round(self.valToPos(here, 'x', true));
            self.ctx.fillStyle = colour(host, '--gold');
            self.ctx.fillRect(x - 1, self.bbox.top, 2, self.bbox.height);
          },
        ],
      },
    },
    [[], ...names.map(() => [])],
    host,
  );
  chart.over.addEventListener('click', () => {
    if (chart.cursor.idx != null) go(chart.cursor.idx);
  });
  const turned = new MutationObserver(() => chart.redraw(false));
  turned.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return {
    draw: (columns) => chart.setData(columns as uPlot.AlignedData),
    mark(index) {
      here = index;
      chart.redraw(false);
    },
    resize: () => chart.setSize({ width: host.clientWidth, height: HEIGHT }),
    destroy() {
      turned.disconnect();
      chart.destroy();
    },
  };
}
