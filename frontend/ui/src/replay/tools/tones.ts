/** Short tones that the browser synthesises (Web Audio). Loaded only once the sound is switched on. */

import type { Sound } from '../protocol';

export interface Tone {
  readonly wave: OscillatorType;
  readonly hertz: number;
  /** Start and length of the tone, in seconds. */
  readonly after: number;
  readonly lasts: number;
}

const LOUDNESS = 0.12;
const SILENT = 0.0001;
const tone = (wave: OscillatorType, hertz: number, after: number, lasts: number): Tone => ({ wave, hertz, after, lasts });

export const TONES: Readonly<Record<Sound, readonly Tone[]>> = {
  card: [tone('triangle', 620, 0, 0.07)],
  dice: [tone('square', 190, 0, 0.04), tone('square', 240, 0.07, 0.04), tone('square', 160, 0.15, 0.05)],
  bid: [tone('sine', 523, 0, 0.12)],
  accusation: [tone('sawtooth', 196, 0, 0.22), tone('sawtooth', 147, 0.2, 0.4)],
  end: [tone('triangle', 392, 0, 0.25), tone('triangle', 523, 0.18, 0.25), tone('triangle', 659, 0.36, 0.5)],
};

let context: AudioContext | null = null;

/** Play the tones of a sound. */
export function play(sound: Sound): void {
  context ??= new AudioContext();
  // browsers play no sound before the first click or key press on a page
  if (context.state === 'suspended') void context.resume();
  for (const { wave, hertz, after, lasts } of TONES[sound]) {
    const [from, until] = [context.currentTime + after, context.currentTime + after + lasts];
    const [source, gain] = [context.createOscillator(), context.createGain()];
    source.type = wave;
    source.frequency.value = hertz;
    gain.gain.setValueAtTime(LOUDNESS, from);
    gain.gain.exponentialRampToValueAtTime(SILENT, until);
    source.connect(gain).connect(context.destination);
    source.start(from);
    source.stop(until);
  }
}

/** Release the audio context. */
export function close(): void {
  void context?.close();
  context = null;
}
