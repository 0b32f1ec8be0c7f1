import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readZip } from '../testing/workbook.ts';
import { type ZipEntry, zipOf } from './zip.ts';

async function* of(...entries: ZipEntry[]): AsyncGenerator<ZipEntry> {
  yield* entries;
}
const zipped = (entries: AsyncIterable<ZipEntry>) => buffer(Readable.from(zipOf(entries)));

it('holds every file, whatever its length and name', async () => {
  const long = randomBytes(300_000).toString('hex');
  const file = await zipped(
    of(
      { path: 'empty', content: [] },
      { path: 'folder/表格.xml', content: [Buffer.from('<a>'), Buffer.from('饮料</a>')] },
      { path: 'long', content: [Buffer.from(long), Buffer.from('!')] },
    ),
  );
  expect([...readZip(file)]).toEqual([
    ['empty', ''],
    ['folder/表格.xml', '<a>饮料</a>'],
    ['long', `${long}!`],
  ]);
});

it('has compressed a piece before it requests the next one', async () => {
  const piece = Buffer.alloc(200_000);
  function* overwritten() {
    for (let letter = 97; letter < 123; letter++) yield piece.fill(letter);
  }
  const text = readZip(await zipped(of({ path: 'a', content: overwritten() }))).get('a') ?? '';
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
  expect(text === letters.map((letter) => letter.repeat(200_000)).join('')).toBe(true);
});

it('fails if a file fails midway, or the list of files', async () => {
  async function* broken() {
    yield Buffer.from('a');
    throw new Error('gone');
  }
  await expect(zipped(of({ path: 'a', content: broken() }))).rejects.toThrow('gone');
  async function* lost(): AsyncGenerator<ZipEntry> {
    yield { path: 'a', content: [] };
    throw new Error('lost');
  }
  await expect(zipped(lost())).rejects.toThrow('lost');
});
