import { createHash } from 'node:crypto';
import { type ImageType, maxImagePixels } from '@hengfu/contract/images';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { rewriteImage } from './images.ts';

const busyRetrySeconds = 5;

/** A picture as it is stored. */
interface StoredImage {
  type: ImageType;
  bytes: Buffer;
  sha256: Buffer;
}

/**
 * Re-encodes a picture for storage, so that its hash recognizes the same picture regardless of metadata. Throws `validation_failed`
 * on `field`, with `fault` if it is unreadable, and `uploads_busy` if its lane, or all together, have too many pictures queued.
 */
export async function toStoredImage(
  file: Pick<StoredImage, 'type' | 'bytes'>,
  lane: string,
  { field, fault }: { field: string; fault: PhraseKey },
): Promise<StoredImage> {
  const rewritten = await rewriteImage(file, lane);
  if (typeof rewritten !== 'string')
    return { ...rewritten, sha256: createHash('sha256').update(rewritten.bytes).digest() };
  if (rewritten === 'busy')
    throw new Refusal('uploads_busy', {
      values: { count: busyRetrySeconds },
      retryAfterSeconds: busyRetrySeconds,
    });
  if (rewritten === 'tooManyPixels')
    throw fieldRefusal(field, 'validation.screenshotPixels', { side: Math.sqrt(maxImagePixels) });
  throw fieldRefusal(field, fault);
}
