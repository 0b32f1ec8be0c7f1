import { FairQueue } from '#threads/fair-queue.ts';
import { type DecodedImage, decodeImage, type GivenImage } from './image-decoder.ts';

/** Limits on decoding pictures, per web process. A decoder takes a core and up to 300 MB. */
export const imageQueue = { concurrency: 1, waitingInLane: 3, waitingInAll: 12 };
const queue = new FairQueue(imageQueue);

/**
 * Re-encodes a picture: upright, without metadata or anything else the file held. A PNG that would exceed the
 * size limit becomes a JPEG. Pictures are decoded one at a time, lanes round-robin, so that a sender of many
 * delays only itself. Returns `busy` if too many are waiting, in this lane or in all.
 */
export async function rewriteImage(file: GivenImage, lane: string): Promise<DecodedImage | 'busy'> {
  return (await queue.run(lane, () => decodeImage(file))) ?? 'busy';
}
