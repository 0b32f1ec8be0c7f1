/** Maximum bytes of a picture. */
export const maxImageBytes = 2 * 1024 * 1024;

/** Maximum pixels of a picture: a decoder needs up to eight bytes for each. */
export const maxImagePixels = 16_000_000;

export const imageTypes = ['image/png', 'image/jpeg'] as const;
export type ImageType = (typeof imageTypes)[number];

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

function begins(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}
