/** A socket that collects the public frames of a match, and that answers with stored frames without a network. */

import { framesFor } from '../alone-kept';
import type { Socket } from '../replay/connection';
import { hear, PUBLIC, type Frame, type Frames, type Watch } from '../replay/protocol';

/** Where the frames of one match are stored. */
export interface Storage {
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
    private readonly line: Socket,
    private readonly storage: Storage,
  ) {
    line.onopen = () => {
      this.opened = true;
      this.onopen?.();
    };
    line.onmessage = (event) => {
      this.collect(String(event.data));
      this.onmessage?.(event);
    };
    line.onclose = (event) => {
      if (this.opened) this.onclose?.(event);
      else void this.recall(event.code);
    };
  }

  send(text: string): void {
    if (!this.stored) {
      this.line.send(text);
      return;
    }
    const watch = JSON.parse(text) as Watch;
    const answer = framesFor({ frames: { [PUBLIC]: { [watch.language]: this.stored } } }, watch);
    queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(answer) }));
  }

  close(): void {
    this.line.close();
  }

  /** Open with the stored frames; pass the failure on where there are none. */
  private async recall(code: number): Promise<void> {
    this.stored = await this.storage.read();
    if (this.stored) this.onopen?.();
    else this.onclose?.({ code });
  }

  /** Store the frames once all have come that there will ever be. */
  private collect(text: string): void {
    const message = hear(text);
    if (message?.type !== 'frames' || message.eyes !== PUBLIC) return;
    const { length, open } = message;
    this.collected.push(...message.frames);
    if (open || this.collected.length < length) return;
    this.storage.store({ type: 'frames', eyes: PUBLIC, frames: this.collected, length, open });
    this.collected = [];
  }
}
