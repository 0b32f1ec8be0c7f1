import { createHash } from 'node:crypto';
import { type ImageType, imageTypeOf, maxImageBytes } from '@hengfu/contract/images';
import { rewriteImage } from './images.ts';

interface Image {
  type: ImageType;
  bytes: Buffer;
  sha256: Buffer;
}

/** Why a picture was not taken. `busy`: this lane, or all together, have too many pictures queued. */
type ImageFault = 'unreadable' | 'tooManyPixels' | 'busy';

/**
 * Re-encodes a picture in Base64 for storage, so that its hash recognizes the same picture regardless of metadata. The lane is that of
 * its sender.
 */
export async function readImage(base64: string, lane: string): Promise<Image | ImageFault> {
  const file = fileOf(base64);
  const rewritten = file ? await rewriteImage(file, lane) : 'unreadable';
  if (typeof rewritten === 'string') return rewritten;
  return { ...rewritten, sha256: createHash('sha256').update(rewritten.bytes).digest() };
}

/**
 * Decodes a picture from Base64; undefined if it is invalid, too large, or neither PNG nor JPEG by its first
 * bytes.
 */
function fileOf(base64: string): Pick<Image, 'type' | 'bytes'> | undefined {
  const bytes = Buffer.from(base64, 'base64');
  // The decoder silently skips invalid characters: only valid Base64 encodes back to the same text.
  if (bytes.length === 0 || bytes.length > maxImageBytes || bytes.toString('base64') !== base64)
    return undefined;
  const type = imageTypeOf(bytes);
  return type && { type, bytes };
}
