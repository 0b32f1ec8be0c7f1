import { FairQueue } from '#threads/fair-queue.ts';
import { type DecodedImage, decodeImage, type ImageFile } from './image-decoder.ts';

/** Pictures that are decoded and wait, in each web process. A decoder takes a core and up to 300 MB. */
export const imageQueue = { atOnce: 1, waitingInLane: 3, waitingInAll: 12 };
const queue = new FairQueue(imageQueue);

/**
 * Re-encodes a picture: upright, without metadata or anything else the file held. A PNG that would grow beyond the size
 * limit becomes a JPEG. Pictures are decoded one after the other, and lanes take turns: whoever sends many waits behind
 * themselves. `busy` if too many wait already, of this lane or of all.
 */
export async function rewriteImage(file: ImageFile, lane: string): Promise<DecodedImage | 'busy'> {
  return (await queue.run(lane, () => decodeImage(file))) ?? 'busy';
}
