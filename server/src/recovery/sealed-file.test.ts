import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyMark, seal, unseal } from './sealed-file.ts';

const key = randomBytes(32);
const headerBytes = 48;
const sealedChunkBytes = 65_536 + 16;

async function* pieces(content: Buffer, bytes = 10_000): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += bytes) yield content.subarray(start, start + bytes);
}
async function whole(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const found: Buffer[] = [];
  for await (const piece of content) found.push(piece);
  return Buffer.concat(found);
}
const sealed = (content: Buffer, name = 'a') => whole(seal(key, name, pieces(content)));
/** Changes one bit of a byte. */
function flipped(file: Buffer, offset: number): Buffer {
  file.writeUInt8(file.readUInt8(offset) ^ 1, offset);
  return file;
}
const opened = (file: Buffer, { name = 'a', keys = [key] } = {}) => whole(unseal(keys, name, pieces(file)));

describe('a sealed file', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 200_000])('of %i bytes returns its content', async (bytes) => {
    const content = randomBytes(bytes);
    expect((await opened(await sealed(content))).equals(content)).toBe(true);
  });

  it('is read with an earlier key, and names both keys if none fits', async () => {
    const content = Buffer.from('content');
    const file = await sealed(content);
    const other = randomBytes(32);
    expect(await opened(file, { keys: [other, key] })).toEqual(content);
    await expect(opened(file, { keys: [other] })).rejects.toThrow(
      `a was encrypted with the key ${keyMark(key)}; WAL_ARCHIVE_KEY is ${keyMark(other)}`,
    );
  });

  it('is closed if its header is refused', async () => {
    let isClosed = false;
    const file = async function* () {
      try {
        yield* pieces(await sealed(Buffer.from('content')), 30);
      } finally {
        isClosed = true;
      }
    };
    await expect(whole(unseal([randomBytes(32)], 'a', file()))).rejects.toThrow('encrypted with the key');
    expect(isClosed).toBe(true);
  });

  it('never repeats its bytes, and does not contain its content', async () => {
    const content = Buffer.from('a secret sentence '.repeat(100));
    const [one, two] = [await sealed(content), await sealed(content)];
    expect(one.subarray(headerBytes).equals(two.subarray(headerBytes))).toBe(false);
    expect(one.includes('secret')).toBe(false);
  });

  const content = randomBytes(200_000);
  const chunk = (file: Buffer, index: number) =>
    file.subarray(headerBytes + index * sealedChunkBytes, headerBytes + (index + 1) * sealedChunkBytes);
  const header = (file: Buffer) => file.subarray(0, headerBytes);
  it.each<[string, (file: Buffer) => Buffer]>([
    ['one bit of it changed', (file) => flipped(file, 100_000)],
    ['its salt changed', (file) => flipped(file, 20)],
    ['its end was cut off', (file) => file.subarray(0, -1)],
    ['its last part was removed', (file) => file.subarray(0, headerBytes + 3 * sealedChunkBytes)],
    ['everything but its header was removed', (file) => header(file)],
    ['its header was cut off', (file) => file.subarray(0, 20)],
    [
      'two parts changed places',
      (file) =>
        Buffer.concat([
          header(file),
          chunk(file, 1),
          chunk(file, 0),
          file.subarray(headerBytes + 2 * sealedChunkBytes),
        ]),
    ],
    [
      'a part was repeated',
      (file) => Buffer.concat([header(file), chunk(file, 0), file.subarray(headerBytes)]),
    ],
    ['something was appended', (file) => Buffer.concat([file, Buffer.from('more')])],
  ])('is refused by name if %s', async (_change, change) => {
    await expect(opened(change(await sealed(content)))).rejects.toThrow(/^a is damaged|^a was encrypted/);
  });

  it('is refused under the name of another file', async () => {
    await expect(opened(await sealed(content), { name: 'b' })).rejects.toThrow('b is damaged');
  });
});
