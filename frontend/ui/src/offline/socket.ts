/** Socket wrapper that stores the public frames of a finished match, and replays stored frames when offline. */

import { framesFor } from '../embedded-match';
import type { Socket } from '../replay/connection';
import { parseMessage, PUBLIC, type Frame, type Frames, type Watch } from '../replay/protocol';

/** Storage for the frames of one match. */
export interface ReplayStorage {
  /** True once the server has sent frames. From then on the viewer reconnects instead of using stored frames. */
  hasServerFrames: boolean;
  read(): Promise<Frames | undefined>;
  store(frames: Frames): void;
}

export class StoringSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  private opened = false;
  private stored: Frames | undefined;
  private collected: Frame[] = [];

  constructor(
    private readonly connection: Socket,
    private readonly storage: ReplayStorage,
  ) {
    connection.onopen = () => {
      this.opened = true;
      this.onopen?.();
    };
    connection.onmessage = (event) => {
      this.collect(String(event.data));
      this.onmessage?.(event);
    };
    connection.onclose = (event) => {
      if (this.opened) this.onclose?.(event);
      else void this.openStored(event.code);
    };
  }

  send(text: string): void {
    if (!this.stored) {
      this.connection.send(text);
      return;
    }
    const watch = JSON.parse(text) as Watch;
    const answer = framesFor({ frames: { [PUBLIC]: { [watch.language]: this.stored } } }, watch);
    queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(answer) }));
  }

  close(): void {
    this.connection.close();
  }

  /** Open the socket with stored frames; without stored frames, report the close code of the connection. */
  private async openStored(code: number): Promise<void> {
    this.stored = this.storage.hasServerFrames ? undefined : await this.storage.read().catch(() => undefined);
    if (this.stored) this.onopen?.();
    else this.onclose?.({ code });
  }

  /** Collect public frames; store them once the match is over and all its frames have arrived. */
  private collect(text: string): void {
    const message = parseMessage(text);
    if (message?.type !== 'frames') return;
    this.storage.hasServerFrames = true;
    if (message.eyes !== PUBLIC) return;
    const { length, open } = message;
    this.collected.push(...message.frames);
    if (open || this.collected.length < length) return;
    this.storage.store({ type: 'frames', eyes: PUBLIC, frames: this.collected, length, open });
    this.collected = [];
  }
}
