import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * The format of a sealed file: the header (magic, mark of the key, salt), then chunks. Each chunk is encrypted with AES-256-GCM
 * under a key of the file's own (HKDF of the key, the salt and the file's name), with its number and whether it is the last one
 * as the nonce (the STREAM construction). So no file passes for another, and no chunk can be changed, moved, repeated or cut off.
 */
const magic = Buffer.from('HFSEAL1\n');
const markBytes = 8;
const saltBytes = 32;
const headerBytes = magic.length + markBytes + saltBytes;
const chunkBytes = 65_536;
const tagBytes = 16;
const nonceBytes = 12;
const cipher = 'aes-256-gcm';

/** A sealed file was encrypted with another key, or has changed since. The message names the file. */
export class SealError extends Error {}

/** Identifies a key without helping to find it. */
export function keyMark(key: Buffer): string {
  return createHmac('sha256', key)
    .update('hengfu sealed file')
    .digest('hex')
    .slice(0, 2 * markBytes);
}

/** Encrypts content as the file of a name. Memory stays flat. */
export async function* seal(
  key: Buffer,
  name: string,
  content: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes);
  yield Buffer.concat([magic, Buffer.from(keyMark(key), 'hex'), salt]);
  const own = fileKey(key, salt, name);
  for await (const { chunk, number, isLast } of chunksOf(content, chunkBytes)) {
    const encryption = createCipheriv(cipher, own, nonceOf(number, isLast));
    yield Buffer.concat([encryption.update(chunk), encryption.final(), encryption.getAuthTag()]);
  }
}

/** Decrypts the file of a name with whichever of the keys sealed it. Throws {@link SealError}, at the latest at its end. */
export async function* unseal(
  keys: readonly Buffer[],
  name: string,
  sealed: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const pieces = sealed[Symbol.asyncIterator]();
  try {
    yield* unsealPieces(keys, name, pieces);
  } finally {
    // Closes the file or the connection that they come from, also if the header is refused.
    await pieces.return?.();
  }
}

async function* unsealPieces(
  keys: readonly Buffer[],
  name: string,
  pieces: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < headerBytes) {
    const { value, done } = await pieces.next();
    if (done) throw new SealError(`${name} is damaged: it ends within its header`);
    start = Buffer.concat([start, value]);
  }
  const own = keyFromHeader(keys, name, start.subarray(0, headerBytes));
  const rest = (async function* () {
    if (start.length > headerBytes) yield start.subarray(headerBytes);
    yield* { [Symbol.asyncIterator]: () => pieces };
  })();
  for await (const { chunk, number, isLast } of chunksOf(rest, chunkBytes + tagBytes)) {
    if (chunk.length < tagBytes) throw new SealError(`${name} is damaged: it was cut off`);
    const decryption = createDecipheriv(cipher, own, nonceOf(number, isLast));
    decryption.setAuthTag(chunk.subarray(-tagBytes));
    let plain: Buffer;
    try {
      plain = Buffer.concat([decryption.update(chunk.subarray(0, -tagBytes)), decryption.final()]);
    } catch {
      throw new SealError(`${name} is damaged: part ${number + 1n} is not as it was written`);
    }
    yield plain;
  }
}

function keyFromHeader(keys: readonly Buffer[], name: string, header: Buffer): Buffer {
  if (!header.subarray(0, magic.length).equals(magic))
    throw new SealError(`${name} is damaged, or no file of this archive`);
  const mark = header.subarray(magic.length, magic.length + markBytes).toString('hex');
  const key = keys.find((each) => keyMark(each) === mark);
  if (!key)
    throw new SealError(
      `${name} was encrypted with the key ${mark}; WAL_ARCHIVE_KEY is ${keys.map(keyMark).join(' and ')}. Set the key that it was written with.`,
    );
  return fileKey(key, header.subarray(magic.length + markBytes), name);
}

function fileKey(key: Buffer, salt: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, name, 32));
}

function nonceOf(number: bigint, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeBigUInt64BE(number);
  nonce[nonceBytes - 1] = isLast ? 1 : 0;
  return nonce;
}

/** Divides content into chunks of one size; only the last may be shorter, or empty if there is no content. */
async function* chunksOf(
  content: AsyncIterable<Buffer>,
  bytes: number,
): AsyncGenerator<{ chunk: Buffer; number: bigint; isLast: boolean }> {
  let pending: Buffer = Buffer.alloc(0);
  let number = 0n;
  for await (const piece of content) {
    pending = pending.length === 0 ? piece : Buffer.concat([pending, piece]);
    let offset = 0;
    // The last chunk is known only at the end, so one always waits.
    for (; pending.length - offset > bytes; offset += bytes)
      yield { chunk: pending.subarray(offset, offset + bytes), number: number++, isLast: false };
    pending = pending.subarray(offset);
  }
  yield { chunk: pending, number, isLast: true };
}
