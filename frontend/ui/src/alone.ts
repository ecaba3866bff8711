/** Entry point of a standalone page: a match in one file, written by `ftk review --html`, that needs no server. */

import './styles/tokens.css';
import './styles/base.css';
import './replay';
import { answerFor, framesFor, type EmbeddedMatch, WORDS_PATH } from './embedded-match';
import type { Socket } from './replay/connection';
import type { Watch } from './replay/protocol';

/** Decode the embedded match: JSON, compressed with gzip, as base64 text. */
async function unpack(text: string): Promise<EmbeddedMatch> {
  const packed = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(plain).json()) as EmbeddedMatch;
}

/** Return a socket that answers from the embedded match. */
function openSocket(match: EmbeddedMatch): Socket {
  const socket: Socket = {
    onopen: null,
    onmessage: null,
    onclose: null,
    send: (text) => {
      const data = JSON.stringify(framesFor(match, JSON.parse(text) as Watch));
      queueMicrotask(() => socket.onmessage?.({ data }));
    },
    close: () => undefined,
  };
  queueMicrotask(() => socket.onopen?.());
  return socket;
}

async function openViewer(dataElement: HTMLElement): Promise<void> {
  const match = await unpack(dataElement.textContent);
  const answer = (request: RequestInfo | URL): Promise<Response> => {
    const response = answerFor(match, request instanceof Request ? request.url : String(request));
    return Promise.resolve(response === undefined ? Response.json({}, { status: 404 }) : Response.json(response));
  };
  // the page's Content-Security-Policy forbids connections, so the viewer's requests are answered from the page
  Object.assign(globalThis, { fetch: answer, WebSocket: function WebSocket() { return openSocket(match); } });
  for (const { tag, name, short, locales } of match.languages ?? []) {
    const attributes = { name: 'viewer-language', content: WORDS_PATH + tag };
    const element = Object.assign(document.createElement('meta'), attributes);
    Object.assign(element.dataset, { tag, name, short, locales });
    document.head.append(element);
  }
  const viewer = document.createElement('ftk-replay');
  const { game, head, names } = match;
  const attributes = { match: 'log', game, head, names: JSON.stringify(names), eyes: 'all', mirror: 'no', alone: '' };
  for (const [name, value] of Object.entries(attributes)) viewer.setAttribute(name, value);
  document.querySelector('main .wrap')?.append(viewer);
}

const dataElement = document.querySelector<HTMLElement>('#kept');
if (dataElement) void openViewer(dataElement);
