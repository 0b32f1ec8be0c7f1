import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { statementLimits } from '@hengfu/contract/staff/statement-days';
import { UnreadableStatement } from './line-fields.rules.ts';

const gzipMagic = Buffer.from([0x1f, 0x8b]);

/**
 * Passes a file on in chunks, unpacked if it is a gzip file. Throws {@link UnreadableStatement}: `tooLarge` beyond the limit of what
 * it may unpack to, `unpacking` if it is damaged.
 */
export async function* unpacked(
  file: Readable,
  maxBytes: number = statementLimits.unpackedBytes,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of (await isPacked(file)) ? file.compose(createGunzip()) : file) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new UnreadableStatement('tooLarge');
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new UnreadableStatement('unpacking');
    throw error;
  } finally {
    file.destroy();
  }
}

/** Whether a file begins as a gzip file does; leaves it unread. */
async function isPacked(file: Readable): Promise<boolean> {
  for await (const chunk of file.iterator({ destroyOnReturn: false })) {
    file.unshift(chunk);
    return chunk.subarray(0, 2).equals(gzipMagic);
  }
  return false;
}

/**
 * Decodes chunks of bytes. A byte order mark is removed and decides between UTF-8 and UTF-16; otherwise the given encoding does.
 * Throws {@link UnreadableStatement} `encoding` for bytes that are no text in it.
 */
export async function* decoded(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const decode = (chunk?: Buffer) => {
    try {
      return decoder?.decode(chunk, { stream: chunk !== undefined }) ?? '';
    } catch {
      throw new UnreadableStatement('encoding');
    }
  };
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(markedEncoding(chunk) ?? encoding, { fatal: true });
    const text = decode(chunk);
    if (text.includes('\0')) throw new UnreadableStatement('encoding');
    yield text;
  }
  yield decode();
}

function markedEncoding(start: Buffer): string | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? 'utf-8' : undefined;
}
