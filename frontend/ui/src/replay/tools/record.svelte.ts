/** The log of a finished match, fetched and checked once, for the badge and the inspector. */

import { say } from './words';
import { check, type Checked } from './chain';

export interface Source {
  /** The number of the match. */
  readonly match: string;
  /** The hash that the page was told the match ends with; empty when it was not. */
  readonly head: string;
  /** Whether there is no server to ask: the page is a file by itself. */
  readonly alone?: boolean;
}

export type Fetched =
  | { readonly kind: 'none' }
  | { readonly kind: 'asked' }
  /** `status` is the server's answer, 0 when there was none. */
  | { readonly kind: 'failed'; readonly why: 'failed.browser' | 'failed.log' | 'failed.status'; readonly status: number }
  | { readonly kind: 'checked'; readonly checked: Checked };

/** Return where a log is downloaded from. */
export function logAddress(match: string): string {
  return `/api/v1/matches/${encodeURIComponent(match)}/log/`;
}

export class Record {
  state = $state.raw<Fetched>({ kind: 'none' });

  constructor(
    readonly source: Source,
    private readonly get: (address: string) => Promise<Response> = (address) => fetch(address),
  ) {}

  /** The result of the check, or null while there is none. */
  get checked(): Checked | null {
    return this.state.kind === 'checked' ? this.state.checked : null;
  }

  /** Fetch the log and check it, unless that is done or under way. */
  async load(): Promise<void> {
    if (this.state.kind === 'asked' || this.state.kind === 'checked') return;
    this.state = { kind: 'asked' };
    this.state = await this.ask();
  }

  private async ask(): Promise<Fetched> {
    // browsers hash for pages that came by HTTPS, or from this machine, only
    if (globalThis.crypto?.subtle === undefined) return { kind: 'failed', why: 'failed.browser', status: 0 };
    try {
      const answer = await this.get(logAddress(this.source.match));
      if (!answer.ok) return { kind: 'failed', why: 'failed.status', status: answer.status };
      const file = new Uint8Array(await answer.arrayBuffer());
      return { kind: 'checked', checked: await check(file, this.source.head) };
    } catch {
      return { kind: 'failed', why: 'failed.log', status: 0 };
    }
  }
}

/** Return what a badge says. */
export function verdict(state: Fetched): string {
  switch (state.kind) {
    case 'none':
      return '';
    case 'asked':
      return say('badge.asked');
    case 'failed':
      return say('badge.failed', { why: say(state.why, { status: state.status }) });
    case 'checked': {
      const { pages, fault } = state.checked;
      if (fault) return say('badge.bad', { page: fault.page, why: say(fault.why) });
      return pages.length === 1 ? say('badge.good.one') : say('badge.good', { count: pages.length });
    }
  }
}
