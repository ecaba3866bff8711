import { describe, expect, it } from 'vitest';
import golden from '../../../tests/golden/pig-2.jsonl?raw';
import { entryOf, hexOf, verifyLog } from '../src/replay/tools/chain';

const HEAD = /"head":"([0-9a-f]{64})"/.exec(golden)?.[1] ?? '';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Return the entries of the golden log sealed in pages of so many lines. */
async function paged(size: number): Promise<string> {
  const entries = golden.trimEnd().split('\n').slice(0, -1).map((line) => `${line}\n`);
  let head: Uint8Array = new Uint8Array(32);
  let file = '';
  for (let first = 0, page = 0; first < entries.length; first += size, page += 1) {
    const body = entries.slice(first, first + size);
    const sealed = new Uint8Array([...head, ...bytes(body.join(''))]);
    head = new Uint8Array(await crypto.subtle.digest('SHA-256', sealed));
    file += body.join('') + JSON.stringify({ page, first, last: first + body.length - 1, head: hexOf(head) }) + '\n';
  }
  return file;
}

describe('a downloaded log', () => {
  it('verifies as it was written', async () => {
    const { pages, fault } = await verifyLog(bytes(golden), HEAD);
    expect(fault).toBeNull();
    expect(pages.map(({ first, last, head }) => [first, last, head])).toEqual([[0, 180, HEAD]]);
  });

  it('of many pages verifies, and each entry is found in its page', async () => {
    const { pages, fault } = await verifyLog(bytes(await paged(10)));
    expect([fault, pages.length]).toEqual([null, 19]);
    const shown = golden.split('\n').filter((line) => line.startsWith('{"kind":') && !line.startsWith('{"kind":"chose"'));
    expect(shown.map((_, frame) => entryOf(pages, frame)?.line)).toEqual(shown);
    expect(entryOf(pages, 0)?.page.number).toBe(0);
    expect(entryOf(pages, shown.length - 1)?.page.number).toBe(18);
    expect(entryOf(pages, shown.length)).toBeUndefined();
  });

  it('with one changed byte does not verify, and the page is named', async () => {
    const file = await paged(10);
    const spot = file.indexOf('"seq":25');
    const { pages, fault } = await verifyLog(bytes(`${file.slice(0, spot)}"seq":26${file.slice(spot + 8)}`));
    expect(fault).toEqual({ page: 2, why: 'fault.hash' });
    expect(pages).toHaveLength(2);
  });

  it('with a byte order mark before a seal does not verify', async () => {
    expect((await verifyLog(bytes(golden.replace('{"page":0,', '\ufeff{"page":0,')), HEAD)).fault).not.toBeNull();
  });

  it('with a changed seal does not verify', async () => {
    expect((await verifyLog(bytes(golden.replace('"page":0,', '"page": 0,')))).fault?.page).toBe(0);
    expect((await verifyLog(bytes(golden.replace('"last":180', '"last":181')))).fault?.page).toBe(0);
  });

  it('with a page taken out or put twice does not verify', async () => {
    const parts = (await paged(60)).split(/(?<=\{"page".*\n)/);
    expect((await verifyLog(bytes([parts[0], parts[2]].join('')))).fault?.page).toBe(1);
    expect((await verifyLog(bytes([parts[0], parts[0], parts[1]].join('')))).fault?.page).toBe(1);
  });

  it('that ends too early does not verify', async () => {
    expect((await verifyLog(bytes(golden.slice(0, -1)))).fault).toEqual({ page: 0, why: 'fault.cut' });
    const [first = ''] = (await paged(60)).split(/(?<=\{"page".*\n)/);
    expect((await verifyLog(bytes(first), HEAD)).fault).toEqual({ page: 1, why: 'fault.missing' });
    expect((await verifyLog(bytes(''))).fault).toEqual({ page: 0, why: 'fault.missing' });
  });
});
