import sharp from 'sharp';

const side = 4000;

/**
 * A JPEG of 16 megapixels that is hard to decode: progressive, so that its coefficients are in memory at once, and to be
 * turned by its orientation, so that its pixels are.
 */
export async function heavyPicture(): Promise<Buffer> {
  const pixels = Uint8Array.from({ length: side * side }, (_, index) => 96 + ((index * 31) % 61));
  return sharp(pixels, { raw: { width: side, height: side, channels: 1 } })
    .toColourspace('srgb')
    .withMetadata({ orientation: 6 })
    .jpeg({ progressive: true, quality: 30 })
    .toBuffer();
}
