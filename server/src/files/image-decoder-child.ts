import { readdirSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { type ImageType, maxImageBytes, maxImagePixels } from '@hengfu/contract/images';
import sharp, { type Sharp } from 'sharp';
import type { DecodedImage, GivenImage, ImageFile } from './image-decoder.ts';

const jpegQualities = [90, 75, 50] as const;
const priority = constants.priority.PRIORITY_BELOW_NORMAL;
/** Linux accepts such a change only every 100 ms, counted over all processes. */
const sessionRetryMs = 150;
const sessionAttempts = 5;

lowerThreads();
lowerSession(sessionAttempts);
sharp.concurrency(1);
sharp.cache(false);

process.on('message', async (given: GivenImage) => process.send?.(await decode(given)));
process.on('disconnect', () => process.exit());

/** Lets calls from users come first. Linux keeps a priority for each thread: the one that decodes runs already, and those that it starts inherit its own. */
function lowerThreads(): void {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) {
    try {
      setPriority(thread, priority);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/**
 * Lowers the whole session as well, which is this process alone: where Linux groups processes by session, their priorities count within
 * it only. Elsewhere, nothing happens.
 */
function lowerSession(attempts: number): void {
  try {
    writeFileSync('/proc/self/autogroup', String(priority));
  } catch (error) {
    const isTooSoon = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
    if (isTooSoon && attempts > 1) setTimeout(() => lowerSession(attempts - 1), sessionRetryMs).unref();
  }
}

async function decode(given: GivenImage): Promise<DecodedImage> {
  try {
    const bytes = Buffer.from(given.bytes);
    // Metadata comes from the header alone.
    const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (`image/${format}` !== given.type) return 'unreadable';
    if (width * height > maxImagePixels) return 'tooManyPixels';
    const image = sharp(bytes, { limitInputPixels: maxImagePixels, failOn: 'error' });
    if ('logoSide' in given) return await encodeLogo(image.autoOrient(), given.logoSide);
    return (await encode(image.autoOrient(), given.type)) ?? 'unreadable';
  } catch {
    // The decoder's error messages would mean nothing to the sender.
    return 'unreadable';
  }
}

/** Encodes a logo: a PNG with up to 256 colors, at most a byte for each of its few pixels. */
async function encodeLogo(image: Sharp, side: number): Promise<ImageFile> {
  const small = image.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
  return { type: 'image/png', bytes: await small.png({ palette: true }).toBuffer() };
}

/** Encodes a picture within the size limit. A PNG that would exceed it becomes a JPEG. */
async function encode(image: Sharp, type: ImageType): Promise<ImageFile | undefined> {
  if (type === 'image/png') {
    const png = await image.clone().png().toBuffer();
    if (png.length <= maxImageBytes) return { type, bytes: png };
  }
  for (const quality of jpegQualities) {
    const jpeg = await image.clone().flatten({ background: '#fff' }).jpeg({ quality }).toBuffer();
    if (jpeg.length <= maxImageBytes) return { type: 'image/jpeg', bytes: jpeg };
  }
  return undefined;
}
