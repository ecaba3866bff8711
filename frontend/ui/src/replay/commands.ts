/** What each key and button does. */

import { shift, type Speed } from './clock';
import { jump, type Moment } from './reel';
import type { Command } from './keys';
import { ALL, PUBLIC, type Eyes, type Mark } from './protocol';

/** As much of the viewer as keys and buttons move. */
export interface Moved {
  readonly names: readonly string[];
  readonly moments: readonly Moment[];
  /** The pictures that may be told of. */
  readonly shown: readonly Moment[];
  readonly index: number;
  /** Whether the match may still grow, and whether pictures are on their way. */
  readonly open: boolean;
  readonly coming: boolean;
  readonly playing: boolean;
  readonly speed: Speed;
  readonly veil: { readonly drawn: boolean };
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

/** These change how it is played, not where it stands. */
const WHILE_PLAYING: readonly Command[] = ['toggle', 'faster', 'slower', 'even', 'inspect'];

/** These do not go to another picture. */
const ANY_TIME: readonly Command[] = ['faster', 'slower', 'even', 'inspect', 'help', 'next-eyes', 'all-eyes'];

function leap(replay: Moved, step: 1 | -1, marks: readonly Mark[]): void {
  const there = jump(replay.moments, replay.index, step, marks);
  if (there === replay.index) return; // a live match goes on being followed
  const marked = marks.some((mark) => mark === replay.moments[there]?.mark);
  // where no mark is left the way goes to the end, but not for those who do not want to know it yet
  if (marked || step < 0 || !replay.veil.drawn) replay.go(there);
}

function last(replay: Moved): void {
  if (replay.open && !replay.veil.drawn) replay.follow();
  else replay.go(replay.shown.length - 1);
}

function nextEyes(replay: Moved): void {
  const round: Eyes[] = [PUBLIC, ...replay.names.map((_, seat) => String(seat))];
  // eyes that were just refused were looked through last, though they are not wanted any more
  const refused = round.indexOf(replay.refusal?.eyes ?? '');
  const last = refused >= 0 ? refused : round.indexOf(replay.wanted);
  replay.look(round[(last + 1) % round.length] ?? PUBLIC);
}

const COMMANDS: Readonly<Record<Command, (replay: Moved) => void>> = {
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

/** Does what keys and buttons ask for; what goes to pictures that are still to come, once they are there. */
export class Orders {
  private readonly waiting: Command[] = [];

  constructor(private readonly replay: Moved) {}

  give(command: Command): void {
    if (this.replay.coming && !ANY_TIME.includes(command)) this.waiting.push(command);
    else this.obey(command);
  }

  /** Pictures came: do what has waited for them. */
  catchUp(): void {
    for (let command; !this.replay.coming && (command = this.waiting.shift()); ) this.obey(command);
  }

  private obey(command: Command): void {
    if (this.replay.playing && !WHILE_PLAYING.includes(command)) this.replay.pause();
    COMMANDS[command](this.replay);
  }
}
