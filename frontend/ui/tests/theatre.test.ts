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
