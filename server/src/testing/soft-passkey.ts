import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { Answer, Visitor } from './visitor.ts';

const userPresentAndVerified = 0x05;
const attestedData = 0x40;

/** A software authenticator: creates one ES256 passkey and signs with it (WebAuthn Level 3, §6). */
export class SoftPasskey {
  /** The origin of the page that uses it; the product refuses any but its own. */
  origin: string;
  signCount = 0;
  readonly id = randomBytes(16).toString('base64url');
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };

  constructor(productUrl: string) {
    this.origin = productUrl.replace('127.0.0.1', 'localhost');
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /** Binds the passkey to a user whose login password is confirmed. */
  async bind(visitor: Visitor, name = 'Soft key'): Promise<Answer> {
    const { data } = (await visitor.post('/api/merchant/passkeys/options', {})).json;
    return visitor.post('/api/merchant/passkeys', { name, credential: this.make(data) });
  }

  /** Finishes a sign-in that waits for a second factor. */
  async pass(visitor: Visitor): Promise<Answer> {
    const { data } = (await visitor.post('/api/two-factor-challenge/options', {})).json;
    return visitor.post('/api/two-factor-challenge', { passkey: this.sign(data.passkey) });
  }

  /** Proves the second factor for the next action that requires it. */
  async show(visitor: Visitor): Promise<Answer> {
    const { data } = (await visitor.post('/api/merchant/passkeys/proof/options', {})).json;
    return visitor.post('/api/merchant/passkeys/proof', { credential: this.sign(data) });
  }

  /** Binds the passkey to a member of our staff, with what proves another second factor. */
  async bindToStaff(visitor: Visitor, proof: object = {}, name = 'Soft key'): Promise<Answer> {
    const { data } = (await visitor.post('/api/staff/passkeys/options', {})).json;
    return visitor.post('/api/staff/passkeys', { name, credential: this.make(data), ...proof });
  }

  /** Signs the challenge of a session of our staff; empty if the person has no passkey. */
  async shownToStaff(visitor: Visitor): Promise<{ passkey?: object }> {
    const { data } = (await visitor.post('/api/staff/passkeys/request', {})).json;
    return data.passkey ? { passkey: this.sign(data.passkey) } : {};
  }

  /** Returns what `navigator.credentials.create` would. */
  make({ challenge, rp }: { challenge: string; rp: { id: string } }): object {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    const key = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]),
    );
    const id = Buffer.from(this.id, 'base64url');
    const idLength = Buffer.alloc(2);
    idLength.writeUInt16BE(id.length);
    const authData = Buffer.concat([
      this.#head(rp.id, userPresentAndVerified | attestedData),
      Buffer.alloc(16),
      idLength,
      id,
      key,
    ]);
    const attestation = isoCBOR.encode(
      new Map<string, string | Map<string, string> | Uint8Array>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]),
    );
    return this.#credential({
      clientDataJSON: this.#client('webauthn.create', challenge).toString('base64url'),
      attestationObject: Buffer.from(attestation).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Returns what `navigator.credentials.get` would. */
  sign({ challenge, rpId }: { challenge: string; rpId: string }): object {
    this.signCount++;
    const authData = this.#head(rpId, userPresentAndVerified);
    const client = this.#client('webauthn.get', challenge);
    const signed = Buffer.concat([authData, createHash('sha256').update(client).digest()]);
    return this.#credential({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: createSign('sha256').update(signed).sign(this.#keys.privateKey).toString('base64url'),
    });
  }

  #head(rpId: string, flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.signCount);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count]);
  }

  #client(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  #credential(response: object): object {
    return { id: this.id, rawId: this.id, type: 'public-key', response, clientExtensionResults: {} };
  }
}
