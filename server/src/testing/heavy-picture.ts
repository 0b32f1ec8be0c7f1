import sharp from 'sharp';

const side = 4000;

/**
 * Returns a JPEG of 16 megapixels that takes much memory to decode: a progressive image keeps all
 * coefficients in memory, and its rotation by EXIF orientation all pixels.
 */
export async function heavyPicture(): Promise<Buffer> {
  const pixels = Uint8Array.from({ length: side * side }, (_, index) => 96 + ((index * 31) % 61));
  return sharp(pixels, { raw: { width: side, height: side, channels: 1 } })
    .toColourspace('srgb')
    .withMetadata({ orientation: 6 })
    .jpeg({ progressive: true, quality: 30 })
    .toBuffer();
}
