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

/**
 * What the application's key is good for: encryption at rest and marks that nobody else can make. While a key is changed,
 * what was encrypted and marked under the other one is good, too; nothing new is made under it.
 */
export class Secrets {
  readonly #encryption: Buffer;
  readonly #marking: Buffer;
  readonly #other: Secrets | undefined;

  /** @param appKey 32 bytes, as the other key; a key of its own is derived for each use (HKDF, RFC 5869). */
  constructor(appKey: Buffer, previousKey?: Buffer) {
    this.#encryption = derive(appKey, 'encryption at rest');
    this.#marking = derive(appKey, 'marks');
    this.#other = previousKey && new Secrets(previousKey);
  }

  /** AES-256-GCM: initialisation vector, tag and ciphertext in one. */
  encrypt(text: string): Buffer {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#encryption, iv);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  }

  /** Throws where the bytes were not made by {@link encrypt} under this key or the other one. */
  decrypt(sealed: Buffer): string {
    try {
      return this.#open(sealed);
    } catch (error) {
      if (this.#other) return this.#other.decrypt(sealed);
      throw error;
    }
  }

  /** The same under this key; undefined where it is already. Throws as {@link decrypt} does. */
  sealAnew(sealed: Buffer): Buffer | undefined {
    try {
      this.#open(sealed);
      return undefined;
    } catch {
      return this.encrypt(this.decrypt(sealed));
    }
  }

  #open(sealed: Buffer): string {
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

  /** Whether a mark is the one of this text, under either key; takes the same time for every wrong one. */
  isMarkOf(mark: string, purpose: string, text: string): boolean {
    const isOurs = sameText(mark, this.mark(purpose, text));
    const isOthers = this.#other?.isMarkOf(mark, purpose, text) ?? false;
    return isOurs || isOthers;
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
