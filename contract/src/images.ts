/** Maximum bytes of a picture. */
export const maxImageBytes = 2 * 1024 * 1024;

/** Maximum pixels of a picture: a decoder needs up to eight bytes for each. */
export const maxImagePixels = 16_000_000;

export const imageTypes = ['image/png', 'image/jpeg'] as const;
export type ImageType = (typeof imageTypes)[number];

/** The types of a logo, which is stored as a PNG whatever it was. */
export const logoTypes = [...imageTypes, 'image/webp'] as const;
export type LogoType = (typeof logoTypes)[number];

const groupOfBase64 = 4;
const bytesOfGroup = 3;
/** Maximum characters of a picture in Base64. */
export const maxImageText = Math.ceil(maxImageBytes / bytesOfGroup) * groupOfBase64;

/** Detects a picture's type by its first bytes; undefined if it is neither PNG nor JPEG. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  if (begins(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (begins(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  return undefined;
}

/** Detects a logo's type likewise. */
export function logoTypeOf(bytes: Uint8Array): LogoType | undefined {
  const isRiff = begins(bytes, [0x52, 0x49, 0x46, 0x46]);
  return isRiff && begins(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50]) ? 'image/webp' : imageTypeOf(bytes);
}

function begins(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}
