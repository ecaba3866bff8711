import { describe, expect, it } from 'vitest';
import { fetchDecision, milliseconds } from '../src/replay/tools/decision';
import { t } from '../src/replay/translation.svelte';

function answering(status: number, body: unknown): (address: string) => Promise<Response> {
  return () => Promise.resolve(new Response(JSON.stringify(body), { status }));
}

describe('a choice laid open', () => {
  it('is asked for by eyes and entry', async () => {
    const asked: string[] = [];
    const told = { question: 7 };
    const answer = await fetchDecision('abc', '2', 137, (address) => {
      asked.push(address);
      return answering(200, told)(address);
    });
    expect(asked).toEqual(['/api/v1/matches/abc/decision/?eyes=2&at=137']);
    expect(answer).toEqual({ kind: 'received', decision: told });
  });

  it('is not asked for by eyes that belong to nobody', async () => {
    const fails = (): Promise<Response> => Promise.reject(new Error('asked'));
    expect(await fetchDecision('abc', 'public', 1, fails)).toEqual({ kind: 'none' });
  });

  it('is not there before the first choice', async () => {
    expect(await fetchDecision('abc', '0', 1, answering(404, { detail: 'nothing' }))).toEqual({ kind: 'none' });
  });

  it('says why it is kept back', async () => {
    expect(await fetchDecision('abc', '0', 1, answering(400, { detail: 'unheard of' }))).toEqual({ kind: 'refused', why: 'unheard of' });
    expect(await fetchDecision('abc', '0', 1, answering(403, {}))).toMatchObject({ kind: 'refused', why: t('eyes.seat.closed') });
    const fails = (): Promise<Response> => Promise.reject(new Error('down'));
    expect(await fetchDecision('abc', '0', 1, fails)).toEqual({ kind: 'refused', why: 'the server did not answer' });
  });

  it('tells short times more exactly', () => {
    expect([milliseconds(430), milliseconds(12_400)]).toEqual(['0.4 ms', '12 ms']);
  });
});
