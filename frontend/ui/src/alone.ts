/** A match in a file by itself: what a server would be asked for is in the page, and is answered from there. */

import './styles/tokens.css';
import './styles/base.css';
import './replay';
import { answerFor, framesFor, type Kept, WORDS } from './alone-kept';
import type { Socket } from './replay/connection';
import type { Watch } from './replay/protocol';

/** Unpack base64 of gzip of JSON. */
async function unpack(text: string): Promise<Kept> {
  const packed = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(plain).json()) as Kept;
}

/** A line to the page itself. */
function dialTo(kept: Kept): Socket {
  const socket: Socket = {
    onopen: null,
    onmessage: null,
    onclose: null,
    send: (text) => {
      const data = JSON.stringify(framesFor(kept, JSON.parse(text) as Watch));
      queueMicrotask(() => socket.onmessage?.({ data }));
    },
    close: () => undefined,
  };
  queueMicrotask(() => socket.onopen?.());
  return socket;
}

async function open(holder: HTMLElement): Promise<void> {
  const kept = await unpack(holder.textContent);
  const answer = (asked: RequestInfo | URL): Promise<Response> => {
    const found = answerFor(kept, asked instanceof Request ? asked.url : String(asked));
    return Promise.resolve(found === undefined ? Response.json({}, { status: 404 }) : Response.json(found));
  };
  // the policy of the page lets nothing out: what the viewer would ask a server for is asked of the page
  Object.assign(globalThis, { fetch: answer, WebSocket: function WebSocket() { return dialTo(kept); } });
  for (const { tag, name, short, locales } of kept.languages ?? []) {
    const element = Object.assign(document.createElement('meta'), { name: 'viewer-language', content: WORDS + tag });
    Object.assign(element.dataset, { tag, name, short, locales });
    document.head.append(element);
  }
  const viewer = document.createElement('ftk-replay');
  const { game, head, names } = kept;
  const said = { match: 'log', game, head, names: JSON.stringify(names), eyes: 'all', mirror: 'no', alone: '' };
  for (const [name, value] of Object.entries(said)) viewer.setAttribute(name, value);
  document.querySelector('main .wrap')?.append(viewer);
}

const holder = document.querySelector<HTMLElement>('#kept');
if (holder) void open(holder);
