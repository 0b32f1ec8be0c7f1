import {
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeyCreation,
  type PasskeyRequest,
  passkeyCreation,
} from '@hengfu/contract/passkeys';
import { siteOf } from './passkey-site.ts';

/** A passkey as its owner's browser has to find it. */
export interface KnownPasskey {
  credentialId: string;
  transports: string[];
}

/** The data for verifying a passkey's signature. */
export interface PasskeySecret {
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  signCount: bigint;
}

/** A passkey that a browser has created. */
export type CreatedPasskey = PasskeySecret & KnownPasskey;

/** The owner of a passkey, as authenticators show them. */
export interface PasskeyOwner {
  id: bigint;
  email: string;
  name: string;
}

/** COSE identifiers of ES256, Ed25519 and RS256, which authenticators support (WebAuthn Level 3, §5.4). */
const supportedAlgorithmIDs = [-7, -8, -257];

/** Loaded with the first passkey: it takes a fifth of the whole program's time to start, and 20 MiB. */
const library = () => import('@simplewebauthn/server');

/** Makes the options of passkeys of one site, and verifies what browsers answer. Whoever calls keeps challenges and keys. */
export class WebAuthn {
  readonly #title: string;
  readonly #url: () => string;

  /** `title` names the product in authenticators; `url` is the public address of the site. */
  constructor(title: string, url: () => string) {
    this.#title = title;
    this.#url = url;
  }

  /** Returns the options for creating a passkey that its owner does not have yet. */
  async creation(owner: PasskeyOwner, known: readonly KnownPasskey[]): Promise<PasskeyCreation> {
    const { generateRegistrationOptions } = await library();
    const options = await generateRegistrationOptions({
      rpName: this.#title,
      rpID: siteOf(this.#url()).id,
      userName: owner.email,
      userDisplayName: owner.name,
      userID: new TextEncoder().encode(String(owner.id)),
      attestationType: 'none',
      supportedAlgorithmIDs,
      excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    return passkeyCreation.parse(options);
  }

  /** Returns a new passkey; undefined if it does not sign the challenge for this site. */
  async verifyCreated(
    response: PasskeyAttestation,
    expectedChallenge: string,
  ): Promise<CreatedPasskey | undefined> {
    const { id: expectedRPID, origin: expectedOrigin } = siteOf(this.#url());
    const { verifyRegistrationResponse } = await library();
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: false,
      supportedAlgorithmIDs,
    }).catch(refused);
    if (!registrationInfo) return undefined;
    const { id: credentialId, publicKey, counter } = registrationInfo.credential;
    const transports = response.response.transports ?? [];
    return { credentialId, publicKey, signCount: BigInt(counter), transports };
  }

  /** Returns the options for requesting one of some passkeys. */
  async request(known: readonly KnownPasskey[]): Promise<PasskeyRequest> {
    const { generateAuthenticationOptions } = await library();
    const rpId = siteOf(this.#url()).id;
    const options = await generateAuthenticationOptions({ rpID: rpId, userVerification: 'preferred' });
    const allowCredentials = known.map(({ credentialId: id, transports }) => ({
      id,
      type: 'public-key' as const,
      transports,
    }));
    return { ...options, rpId, allowCredentials, userVerification: 'preferred' };
  }

  /** Returns the new counter of a passkey that signs the challenge for this site; undefined if it does not. */
  async verifyShown(
    response: PasskeyAssertion,
    expectedChallenge: string,
    { credentialId: id, publicKey, signCount }: PasskeySecret,
  ): Promise<bigint | undefined> {
    const { id: expectedRPID, origin: expectedOrigin } = siteOf(this.#url());
    const { verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      credential: { id, publicKey, counter: Number(signCount) },
      requireUserVerification: false,
    }).catch(refused);
    return verified ? BigInt(authenticationInfo.newCounter) : undefined;
  }
}

/**
 * Turns the library's exceptions into a refusal: it throws for a foreign key, another origin, a counter that
 * goes back.
 */
function refused(): { verified: false; registrationInfo?: never; authenticationInfo?: never } {
  return { verified: false };
}
