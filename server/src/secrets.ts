import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;

/** What the application's key is good for: encryption at rest and marks that nobody else can make. */
export class Secrets {
  readonly #encryption: Buffer;
  readonly #marking: Buffer;

  /** @param appKey 32 bytes; a key of its own is derived for each use (HKDF, RFC 5869). */
  constructor(appKey: Buffer) {
    this.#encryption = derive(appKey, 'encryption at rest');
    this.#marking = derive(appKey, 'marks');
  }

  /** AES-256-GCM: initialisation vector, tag and ciphertext in one. */
  encrypt(text: string): Buffer {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#encryption, iv);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  }

  /** Throws where the bytes were not made by {@link encrypt} under this key. */
  decrypt(sealed: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', this.#encryption, sealed.subarray(0, ivBytes));
    decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
      'utf8',
    );
  }

  /** A mark of a text for one purpose, 43 characters of base64url. */
  mark(purpose: string, text: string): string {
    return createHmac('sha256', this.#marking).update(`${purpose}\n${text}`).digest('base64url');
  }

  /** Whether a mark is the one of this text; takes the same time for every wrong one. */
  isMarkOf(mark: string, purpose: string, text: string): boolean {
    return sameText(mark, this.mark(purpose, text));
  }
}

/** Compares two texts in a time that does not tell where they differ. */
export function sameText(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}

function derive(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `hengfu ${use}`, 32));
}
