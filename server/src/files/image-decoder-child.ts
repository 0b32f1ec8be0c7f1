import { constants, setPriority } from 'node:os';
import { type ImageType, maxImageBytes, maxImagePixels } from '@hengfu/contract/images';
import sharp, { type Sharp } from 'sharp';
import type { DecodedImage, ImageFile } from './image-decoder.ts';

const jpegQualities = [90, 75, 50] as const;

// Calls from users come first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
sharp.concurrency(1);
sharp.cache(false);

process.on('message', async ({ bytes, type }: ImageFile) =>
  process.send?.(await decode(Buffer.from(bytes), type)),
);
process.on('disconnect', () => process.exit());

async function decode(bytes: Buffer, type: ImageType): Promise<DecodedImage> {
  try {
    // Metadata comes from the header alone.
    const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (`image/${format}` !== type) return 'unreadable';
    if (width * height > maxImagePixels) return 'tooManyPixels';
    const image = sharp(bytes, { limitInputPixels: maxImagePixels, failOn: 'error' });
    return (await encode(image.autoOrient(), type)) ?? 'unreadable';
  } catch {
    // The decoder's error messages would mean nothing to the sender.
    return 'unreadable';
  }
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
