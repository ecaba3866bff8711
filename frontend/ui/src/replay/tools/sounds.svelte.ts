/** Switch for the sound of replays. While it is off, nothing is loaded for it. */

import { readItem, writeItem } from '../local-storage';
import type { Sound } from '../protocol';

const KEY = 'ftk-sound';
/** Interface of the module `tones`, so that a test can replace it. */
export interface Tones {
  play(sound: Sound): void;
  close(): void;
}

export class Sounds {
  on = $state(readItem(KEY) === 'yes');

  constructor(private readonly fetchTones: () => Promise<Tones> = () => import('./tones')) {}

  /** Switch the sound on or off. Switching it on plays a tone at once. */
  toggle(): void {
    this.on = !this.on;
    writeItem(KEY, this.on ? 'yes' : 'no');
    void this.fetchTones().then((tones) => (this.on ? tones.play('card') : tones.close()));
  }

  hear(sound: Sound | null | undefined): void {
    if (this.on && sound) void this.fetchTones().then((tones) => this.on && tones.play(sound));
  }
}
