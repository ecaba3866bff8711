/** Custom element `<ftk-replay match="ID" game="NAME" names='["Ada","Bob"]'>`: the viewer of one match. */

import { mount, unmount } from 'svelte';
import './styles/tokens.css';
import { StoringSocket } from './offline/socket';
import { storageOf } from './offline/storage';
import { later } from './replay/clock';
import { readSpot } from './replay/link';
import { FRESH } from './replay/protocol';
import { Replay } from './replay/replay.svelte';
import { firstLanguage, language, loadLanguage } from './replay/translation.svelte';
import type { Socket } from './replay/connection';
import { prefersSpoilerFree } from './replay/spoiler-guard.svelte';
import Viewer from './replay/Viewer.svelte';

/** Return the names in an attribute, which is a JSON list; none if it is other JSON. */
function namesIn(text: string | null): readonly string[] {
  const names: unknown = JSON.parse(text ?? '[]');
  return Array.isArray(names) ? names.map(String) : [];
}

class FtkReplay extends HTMLElement {
  private viewer: Record<string, unknown> | null = null;

  connectedCallback(): void {
    void loadLanguage(firstLanguage(location.href)).then(() => {
      if (this.isConnected && this.viewer === null) this.render();
    });
  }

  /** Mount the viewer, in the current language. */
  private render(): void {
    const names = namesIn(this.getAttribute('names'));
    const source = {
      match: this.getAttribute('match') ?? '',
      head: this.getAttribute('head') ?? '',
      alone: this.hasAttribute('alone'),
    };
    const address = new URL(`/ws/match/${source.match}/`, location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const openSocket = (): Socket => new WebSocket(address) as Socket;
    const storage = storageOf(source.match, language);
    const dial = this.hasAttribute('offline') ? (): Socket => new StoringSocket(openSocket(), storage) : openSocket;
    this.replaceChildren();
    const spot = readSpot(location.href, names.length);
    const hasEyes = new URL(location.href).searchParams.has('eyes');
    const seat = this.getAttribute('hand');
    const defaultEyes = this.getAttribute('eyes') ?? (prefersSpoilerFree() ? FRESH : spot.eyes);
    // a person who plays watches with the eyes of their seat
    const eyes = hasEyes ? spot.eyes : (seat ?? defaultEyes);
    const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
    const paced = (): boolean => seat !== null && !reducedMotion.matches && !document.hidden;
    const replay = new Replay({ names, spot: { ...spot, eyes }, dial, later, paced, language: language() });
    const game = this.getAttribute('game') ?? '';
    if (this.hasAttribute('glance')) {
      void import('./replay/Glance.svelte').then((part) => {
        if (this.isConnected) this.viewer = mount(part.default, { target: this, props: { replay, game } });
      });
      return;
    }
    const hand = seat === null ? null : { seat: Number(seat), first: this.hasAttribute('first') };
    const mirror = this.getAttribute('mirror') !== 'no';
    this.viewer = mount(Viewer, { target: this, props: { replay, mirror, source, game, hand } });
  }

  disconnectedCallback(): void {
    if (this.viewer) void unmount(this.viewer);
    this.viewer = null;
  }
}

customElements.define('ftk-replay', FtkReplay);
