/** Whether a replay is heard; nothing is fetched or made for it while it is off. */

import { keep, kept } from '../hand/keeping';
import type { Sound } from '../protocol';

const KEY = 'ftk-sound';
/** As much of the tones as is needed, so that a test can hear them. */
export interface Tones {
  play(sound: Sound): void;
  close(): void;
}

export class Sounds {
  on = $state(kept(KEY) === 'yes');

  constructor(private readonly fetchTones: () => Promise<Tones> = () => import('./tones')) {}

  /** Switch the sound on, which is heard at once, or off. */
  toggle(): void {
    this.on = !this.on;
    keep(KEY, this.on ? 'yes' : 'no');
    void this.fetchTones().then((tones) => (this.on ? tones.play('card') : tones.close()));
  }

  hear(sound: Sound | null | undefined): void {
    if (this.on && sound) void this.fetchTones().then((tones) => this.on && tones.play(sound));
  }
}
