/** Commands of the viewer's keys and buttons. */

import { shift, type Speed } from './clock';
import { jump, type Moment } from './reel';
import type { Command } from './keys';
import { ALL, PUBLIC, type Eyes, type Mark } from './protocol';

/** Part of the viewer that commands use. */
export interface CommandTarget {
  readonly names: readonly string[];
  readonly moments: readonly Moment[];
  /** Moments that may be shown: all, or in spoiler-free watching only those already watched. */
  readonly visibleMoments: readonly Moment[];
  readonly index: number;
  /** True while the match is live. */
  readonly open: boolean;
  /** True if the next moment exists but has not arrived. */
  readonly awaitsFrames: boolean;
  readonly playing: boolean;
  readonly speed: Speed;
  readonly spoilerGuard: { readonly active: boolean };
  readonly tempo: { toggle(): void };
  readonly wanted: Eyes;
  readonly refusal: { readonly eyes: Eyes } | null;
  inspecting: boolean;
  help: boolean;
  play(): void;
  pause(): void;
  follow(): void;
  go(index: number): void;
  look(eyes: Eyes): void;
  setSpeed(speed: Speed): void;
}

/** Commands that do not pause the playback. */
const WHILE_PLAYING: readonly Command[] = ['toggle', 'faster', 'slower', 'even', 'inspect'];

/** Commands that do not depend on the loaded moments, so that they never wait for frames. */
const ANY_TIME: readonly Command[] = ['faster', 'slower', 'even', 'inspect', 'help', 'next-eyes', 'all-eyes'];

function leap(replay: CommandTarget, step: 1 | -1, marks: readonly Mark[]): void {
  const target = jump(replay.moments, replay.index, step, marks);
  if (target === replay.index) return; // `go` would stop following a live match
  const marked = marks.some((mark) => mark === replay.moments[target]?.mark);
  // without a further mark the target is the last moment, which is a spoiler
  if (marked || step < 0 || !replay.spoilerGuard.active) replay.go(target);
}

function last(replay: CommandTarget): void {
  if (replay.open && !replay.spoilerGuard.active) replay.follow();
  else replay.go(replay.visibleMoments.length - 1);
}

function nextEyes(replay: CommandTarget): void {
  const round: Eyes[] = [PUBLIC, ...replay.names.map((_, seat) => String(seat))];
  // after a refusal `wanted` is a fallback; continue after the refused eyes instead
  const refused = round.indexOf(replay.refusal?.eyes ?? '');
  const last = refused >= 0 ? refused : round.indexOf(replay.wanted);
  replay.look(round[(last + 1) % round.length] ?? PUBLIC);
}

const COMMANDS: Readonly<Record<Command, (replay: CommandTarget) => void>> = {
  toggle: (replay) => (replay.playing ? replay.pause() : replay.play()),
  next: (replay) => replay.index + 1 < replay.moments.length && replay.go(replay.index + 1),
  previous: (replay) => replay.go(replay.index - 1),
  'next-turn': (replay) => leap(replay, 1, ['turn', 'phase']),
  'previous-turn': (replay) => leap(replay, -1, ['turn', 'phase']),
  'next-phase': (replay) => leap(replay, 1, ['phase']),
  'previous-phase': (replay) => leap(replay, -1, ['phase']),
  'next-key': (replay) => leap(replay, 1, ['key']),
  'previous-key': (replay) => leap(replay, -1, ['key']),
  first: (replay) => replay.go(0),
  last,
  'next-eyes': nextEyes,
  even: (replay) => replay.tempo.toggle(),
  'all-eyes': (replay) => replay.look(replay.wanted === ALL ? PUBLIC : ALL),
  faster: (replay) => replay.setSpeed(shift(replay.speed, 1)),
  slower: (replay) => replay.setSpeed(shift(replay.speed, -1)),
  inspect: (replay) => (replay.inspecting = !replay.inspecting),
  help: (replay) => (replay.help = !replay.help),
};

/** Queue of the commands that depend on moments that have not arrived. All other commands run at once. */
export class CommandQueue {
  private readonly waiting: Command[] = [];

  constructor(private readonly replay: CommandTarget) {}

  submit(command: Command): void {
    if (this.replay.awaitsFrames && !ANY_TIME.includes(command)) this.waiting.push(command);
    else this.execute(command);
  }

  /** Execute waiting commands after frames have arrived. */
  flush(): void {
    for (let command; !this.replay.awaitsFrames && (command = this.waiting.shift()); ) this.execute(command);
  }

  private execute(command: Command): void {
    if (this.replay.playing && !WHILE_PLAYING.includes(command)) this.replay.pause();
    COMMANDS[command](this.replay);
  }
}
