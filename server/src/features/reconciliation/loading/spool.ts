import { createHash, randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { statementLimits } from '@hengfu/contract/staff/statement-days';
import { Refusal } from '#domain/refusal.ts';
import { unpacked } from '../parse/statement-text.ts';

/** An uploaded file on disk, unpacked. */
export interface SpooledFile {
  /** SHA-256. */
  hash: Buffer;
  chunks(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/**
 * Receives a file as fast as it arrives, however long it then takes to load. It has no name on disk, so that nothing is left of it when the
 * process dies. Throws `payload_too_large`, and `UnreadableStatement` for a damaged packed file.
 */
export async function spool(
  body: Readable,
  maxBytes: number = statementLimits.uploadBytes,
): Promise<SpooledFile> {
  const path = join(tmpdir(), `hengfu-statement-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    const hash = createHash('sha256');
    for await (const chunk of unpacked(Readable.from(limited(body, maxBytes), { objectMode: false }))) {
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    return {
      hash: hash.digest(),
      chunks: () => file.createReadStream({ start: 0, autoClose: false }),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* limited(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Refusal('payload_too_large');
    yield chunk;
  }
}
