import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTheatre } from '../src/theatre';

/** Show the last picture of a match in a theatre, and return the function that opens the next match. */
function showLastPicture(reducedMotion: boolean): ReturnType<typeof vi.fn> {
  const listeners = new Map<string, (event: unknown) => void>();
  const elements: Record<string, unknown> = {
    '#go-on': { checked: true, addEventListener: vi.fn() },
    '#told': { dataset: {}, textContent: '' },
    '#playbill': { dataset: { ended: 'yes', next: '/watch/next/' } },
  };
  const assign = vi.fn();
  vi.stubGlobal('document', {
    querySelector: (selector: string) => elements[selector] ?? null,
    addEventListener: (kind: string, listener: (event: unknown) => void) => listeners.set(kind, listener),
    body: { classList: { toggle: vi.fn() } },
  });
  vi.stubGlobal('matchMedia', () => ({ matches: reducedMotion }));
  vi.stubGlobal('location', { assign });
  openTheatre();
  listeners.get('ftk-shown')?.({ detail: { at: 9, last: true, moving: false } });
  return assign;
}

describe('the theatre after the last picture of a match', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('opens the next match', () => {
    const assign = showLastPicture(false);
    vi.advanceTimersByTime(60_000);
    expect(assign).toHaveBeenCalledWith('/watch/next/');
  });

  it('stays there for readers who have asked for reduced motion', () => {
    const assign = showLastPicture(true);
    vi.advanceTimersByTime(60_000);
    expect(assign).not.toHaveBeenCalled();
  });
});

/** Show the first picture of a live match in a theatre, and return the function that presses the viewer's play button. */
function showLiveMatch(veiled: boolean): ReturnType<typeof vi.fn> {
  const listeners = new Map<string, (event: unknown) => void>();
  const click = vi.fn();
  const elements: Record<string, unknown> = {
    '#go-on': { checked: true, addEventListener: vi.fn() },
    '#told': { dataset: {}, textContent: '' },
    '#playbill': { dataset: { ended: 'no' } },
    'ftk-replay': { hasAttribute: (name: string) => name === 'veiled' && veiled },
    'ftk-replay button[data-icon="play"]': { click },
  };
  vi.stubGlobal('document', {
    querySelector: (selector: string) => elements[selector] ?? null,
    addEventListener: (kind: string, listener: (event: unknown) => void) => listeners.set(kind, listener),
    body: { classList: { toggle: vi.fn() } },
  });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  openTheatre();
  for (const at of [3, 4]) listeners.get('ftk-shown')?.({ detail: { at, last: false, moving: at > 3 } });
  return click;
}

describe('a live match in the theatre', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('is begun once if the viewer watches spoiler-free, and so stands at the first choice', () => {
    expect(showLiveMatch(true)).toHaveBeenCalledTimes(1);
  });

  it('is not begun if the viewer follows it', () => {
    expect(showLiveMatch(false)).not.toHaveBeenCalled();
  });
});
