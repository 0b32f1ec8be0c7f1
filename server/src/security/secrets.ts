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
 * Encrypts data at rest and computes HMACs, each with a key derived from the application's key. During a key
 * rotation, ciphertexts and HMACs made under the previous key are still accepted, but no new ones are created.
 */
export class Secrets {
  readonly #encryption: Buffer;
  readonly #hmacKey: Buffer;
  readonly #previous: Secrets | undefined;

  /** @param appKey 32 bytes, like the previous key. Each use has its own derived key (HKDF, RFC 5869). */
  constructor(appKey: Buffer, previousKey?: Buffer) {
    this.#encryption = derive(appKey, 'encryption at rest');
    this.#hmacKey = derive(appKey, 'marks');
    this.#previous = previousKey && new Secrets(previousKey);
  }

  /** Encrypts with AES-256-GCM. Returns initialization vector, tag and ciphertext in one buffer. */
  encrypt(text: string): Buffer {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#encryption, iv);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  }

  /** Decrypts a text. Throws unless {@link encrypt} made the bytes under this key or the previous one. */
  decrypt(sealed: Buffer): string {
    try {
      return this.#open(sealed);
    } catch (error) {
      if (this.#previous) return this.#previous.decrypt(sealed);
      throw error;
    }
  }

  /** Whether {@link decrypt} returns a text. */
  canDecrypt(sealed: Buffer): boolean {
    try {
      this.decrypt(sealed);
      return true;
    } catch {
      return false;
    }
  }

  /** Encrypts a text again, under this key; undefined if it already is. Throws as {@link decrypt} does. */
  reencrypt(sealed: Buffer): Buffer | undefined {
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

  /** Returns the HMAC of a text for one purpose, 43 characters of base64url. */
  hmac(purpose: string, text: string): string {
    return createHmac('sha256', this.#hmacKey).update(`${purpose}\n${text}`).digest('base64url');
  }

  /** Whether an HMAC belongs to this text, under either key. Takes the same time for every wrong one. */
  isHmacOf(hmac: string, purpose: string, text: string): boolean {
    const isCurrent = sameText(hmac, this.hmac(purpose, text));
    const isPrevious = this.#previous?.isHmacOf(hmac, purpose, text) ?? false;
    return isCurrent || isPrevious;
  }
}

/** Compares two texts in a time that does not reveal where they differ. */
export function sameText(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}

function derive(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `hengfu ${use}`, 32));
}
