import { type ImageType, maxImageBytes } from '@hengfu/contract/images';
import sharp from 'sharp';

/** Pixels that a picture may have: decoded, each takes four bytes. A phone's screenshot has five million. */
const maxPixels = 40_000_000;
const jpegQualities = [90, 75, 50] as const;

// One picture at a time keeps to one core, and nothing of it is kept for the next.
sharp.concurrency(1);
sharp.cache(false);

/**
 * A picture written anew: upright, without its metadata or whatever else the file held. A PNG that would grow beyond
 * what a picture may have becomes a JPEG. Undefined where the file is no picture of that type, or has too many pixels.
 */
export async function rewriteImage(
  bytes: Buffer,
  type: ImageType,
): Promise<{ type: ImageType; bytes: Buffer } | undefined> {
  try {
    const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' });
    const { format } = await image.metadata();
    if (`image/${format}` !== type) return undefined;
    image.autoOrient();
    if (type === 'image/png') {
      const png = await image.clone().png().toBuffer();
      if (png.length <= maxImageBytes) return { type, bytes: png };
    }
    for (const quality of jpegQualities) {
      const jpeg = await image.clone().flatten({ background: '#fff' }).jpeg({ quality }).toBuffer();
      if (jpeg.length <= maxImageBytes) return { type: 'image/jpeg', bytes: jpeg };
    }
    return undefined;
  } catch {
    // The library's own words about a broken file are of no use to whoever sent it.
    return undefined;
  }
}
