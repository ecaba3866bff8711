/** Log of a finished match, fetched and verified once, for the badge and the inspector. */

import { t } from './words';
import { verifyLog, type Checked } from './chain';

export interface MatchSource {
  /** Identifier of the match. */
  readonly match: string;
  /** Hash of the log's last page, as stated by the surrounding page; empty if it states none. */
  readonly head: string;
  /** True on a standalone page, which has no server. */
  readonly alone?: boolean;
}

type Failure = 'failed.browser' | 'failed.log' | 'failed.status';
export type LogCheckState =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  /** `status` is the HTTP status; 0 without a response. */
  | { readonly kind: 'failed'; readonly why: Failure; readonly status: number }
  | { readonly kind: 'checked'; readonly checked: Checked };

/** Return the address from which a log is downloaded. */
export function logAddress(match: string): string {
  return `/api/v1/matches/${encodeURIComponent(match)}/log/`;
}

export class LogCheck {
  state = $state.raw<LogCheckState>({ kind: 'none' });

  constructor(
    readonly source: MatchSource,
    private readonly get: (address: string) => Promise<Response> = (address) => fetch(address),
  ) {}

  /** Result of the verification; null before it has finished. */
  get checked(): Checked | null {
    return this.state.kind === 'checked' ? this.state.checked : null;
  }

  /** Fetch and verify the log, unless this is done or in progress. */
  async load(): Promise<void> {
    if (this.state.kind === 'loading' || this.state.kind === 'checked') return;
    this.state = { kind: 'loading' };
    this.state = await this.fetchAndCheck();
  }

  private async fetchAndCheck(): Promise<LogCheckState> {
    // browsers offer `crypto.subtle` only in secure contexts: HTTPS and localhost
    if (globalThis.crypto?.subtle === undefined) return { kind: 'failed', why: 'failed.browser', status: 0 };
    try {
      const answer = await this.get(logAddress(this.source.match));
      if (!answer.ok) return { kind: 'failed', why: 'failed.status', status: answer.status };
      const file = new Uint8Array(await answer.arrayBuffer());
      return { kind: 'checked', checked: await verifyLog(file, this.source.head) };
    } catch {
      return { kind: 'failed', why: 'failed.log', status: 0 };
    }
  }
}

export function badgeText(state: LogCheckState): string {
  switch (state.kind) {
    case 'none':
      return '';
    case 'loading':
      return t('badge.asked');
    case 'failed':
      return t('badge.failed', { why: t(state.why, { status: state.status }) });
    case 'checked': {
      const { pages, fault } = state.checked;
      if (fault) return t('badge.bad', { page: fault.page, why: t(fault.why) });
      return pages.length === 1 ? t('badge.good.one') : t('badge.good', { count: pages.length });
    }
  }
}
