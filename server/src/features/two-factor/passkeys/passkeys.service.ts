import {
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeyRequest,
  passkeyCreation,
} from '@hengfu/contract/passkeys';
import type { Database, Tx } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { noticeAccessChange } from '#domain/notices.sql.ts';
import { assertWithinQuota } from '#domain/quota.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { clearTries, countOrRefuse } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { keepOnlySession } from '#http/session.sql.ts';
import type { Secrets } from '#security/secrets.ts';
import { codesPerMinute } from '#security/totp.rules.ts';
import { assertMayBindHere } from '../first-factor.ts';
import { sealFreshCodes } from '../recovery-codes.ts';
import { lockFactor, type Owner, ownerOf, saveFactor } from '../two-factor.sql.ts';
import { type Site, siteOf } from './passkeys.rules.ts';
import {
  deletePasskeys,
  insertPasskey,
  listPasskeys,
  lockPasskey,
  type PasskeyRow,
  putChallenge,
  putProof,
  takeChallenge,
  touchPasskey,
} from './passkeys.sql.ts';

export interface PasskeyOptions {
  database: Database;
  secrets: Secrets;
  /** Names the product in authenticators. */
  title: string;
  appUrl: () => string;
}

/** COSE identifiers of ES256, Ed25519 and RS256, which authenticators support (WebAuthn Level 3, §5.4). */
const supportedAlgorithmIDs = [-7, -8, -257];

/** Loaded with the first passkey: it takes a fifth of the whole program's time to start, and 20 MiB. */
const webAuthn = () => import('@simplewebauthn/server');

/** Binds and removes passkeys, and verifies them at sign-in and before an action. */
export class PasskeyService {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #title: string;
  readonly #appUrl: () => string;

  constructor({ database, secrets, title, appUrl }: PasskeyOptions) {
    this.#database = database;
    this.#secrets = secrets;
    this.#title = title;
    this.#appUrl = appUrl;
  }

  list(person: Person): Promise<PasskeyRow[]> {
    return this.#database.asSystem((tx) => listPasskeys(tx, ownerOf(person)));
  }

  /** Returns the options for creating a passkey that the user does not have yet. Throws `enrolment_elsewhere`. */
  async bindOptions(person: Person) {
    await this.#database.asSystem((tx) => assertMayBindHere(tx, person));
    const { id: rpID } = this.#site();
    const { generateRegistrationOptions } = await webAuthn();
    const options = await generateRegistrationOptions({
      rpName: this.#title,
      rpID,
      userName: person.email,
      userDisplayName: person.name,
      userID: new TextEncoder().encode(String(person.userId)),
      attestationType: 'none',
      supportedAlgorithmIDs,
      excludeCredentials: (await this.list(person)).map(({ credentialId: id, transports }) => ({
        id,
        transports,
      })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    await this.#database.asSystem((tx) => putChallenge(tx, person.sessionId, options.challenge));
    return passkeyCreation.parse(options);
  }

  /**
   * Binds a passkey, and generates recovery codes if there are none. The session continues under the new id,
   * and all others end. Throws `validation_failed`, `conflict`, `quota_reached`,
   * `enrolment_elsewhere`.
   */
  async bind(
    person: Person,
    request: RequestInfo,
    created: { name: string; credential: PasskeyAttestation; newSessionId: string },
  ): Promise<void> {
    const owner = ownerOf(person);
    const { name, newSessionId } = created;
    const expectedChallenge = await this.#database.asSystem((tx) => takeChallenge(tx, person.sessionId));
    const checked = expectedChallenge && (await this.#verifyCreated(created.credential, expectedChallenge));
    if (!checked) throw fieldRefusal('credential', 'validation.passkeyWrong');
    await this.#database.asSystem(async (tx) => {
      const factor = await lockFactor(tx, owner);
      await assertMayBindHere(tx, person);
      const have = async () => (await listPasskeys(tx, owner)).length;
      await assertWithinQuota(tx, 'passkeysOfUser', person.userId, have);
      const { id: credentialId, publicKey, counter, transports = [] } = checked;
      const key = { credentialId, publicKey, signCount: BigInt(counter), transports, name };
      if (!(await insertPasskey(tx, owner, key))) throw new Refusal('conflict');
      if (factor.codesEncrypted === null)
        await saveFactor(tx, owner, { codesEncrypted: sealFreshCodes(this.#secrets) });
      await auditPerson(tx, person, request, 'passkey.add', { after: { name } });
      await noticeAccessChange(tx, person, request, 'passkey_add');
      // Creating a passkey proves that the person holds it.
      await keepOnlySession(tx, person, newSessionId, { secondFactor: 'passkey' });
    });
  }

  /**
   * Removes a passkey, and the recovery codes with the last second factor. The session continues under the
   * new id, and all others end. Throws `not_found`.
   */
  async remove(
    person: Person,
    request: RequestInfo,
    { id, newSessionId }: { id: string; newSessionId: string },
  ): Promise<void> {
    const owner = ownerOf(person);
    await this.#database.asSystem(async (tx) => {
      const factor = await lockFactor(tx, owner);
      const gone = (await listPasskeys(tx, owner)).find((key) => key.id === id);
      if (!gone) throw new Refusal('not_found');
      await deletePasskeys(tx, owner, id);
      const isLast = factor.secretEncrypted === null && (await listPasskeys(tx, owner)).length === 0;
      if (isLast) await saveFactor(tx, owner, { codesEncrypted: null });
      await auditPerson(tx, person, request, 'passkey.remove', { before: { id, name: gone.name } });
      await noticeAccessChange(tx, person, request, 'passkey_remove');
      await keepOnlySession(tx, person, newSessionId);
    });
  }

  /** Returns the options for requesting one of a user's passkeys; null if there is none. */
  async request(tx: Tx, owner: Owner, sessionId: string): Promise<PasskeyRequest | null> {
    const keys = await listPasskeys(tx, owner);
    if (keys.length === 0) return null;
    const { id: rpID } = this.#site();
    const { generateAuthenticationOptions } = await webAuthn();
    const options = await generateAuthenticationOptions({ rpID, userVerification: 'preferred' });
    await putChallenge(tx, sessionId, options.challenge);
    const allowCredentials = keys.map(({ credentialId: id, transports }) => ({
      id,
      type: 'public-key' as const,
      transports,
    }));
    return { ...options, rpId: rpID, allowCredentials, userVerification: 'preferred' };
  }

  /**
   * Whether a presented passkey is the user's and signs this browser's challenge. Each challenge is valid
   * once.
   */
  async accept(tx: Tx, owner: Owner, sessionId: string, presented: PasskeyAssertion): Promise<boolean> {
    const expectedChallenge = await takeChallenge(tx, sessionId);
    const key = await lockPasskey(tx, owner, presented.id);
    if (expectedChallenge === undefined || !key) return false;
    const { id: expectedRPID, origin: expectedOrigin } = this.#site();
    const { verifyAuthenticationResponse } = await webAuthn();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: presented,
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      credential: { id: key.credentialId, publicKey: key.publicKey, counter: Number(key.signCount) },
      requireUserVerification: false,
    }).catch(refused);
    if (!verified) return false;
    await touchPasskey(tx, key.id, BigInt(authenticationInfo.newCounter));
    return true;
  }

  /** Like {@link request}, for an action of a signed-in person. Throws `not_found`. */
  async proofOptions(person: Person): Promise<PasskeyRequest> {
    const options = await this.#database.asSystem((tx) =>
      this.request(tx, ownerOf(person), person.sessionId),
    );
    if (!options) throw new Refusal('not_found');
    return options;
  }

  /**
   * Verifies a passkey for the next action that requires the second factor. Throws `validation_failed`,
   * `too_many_attempts`.
   */
  async prove(person: Person, presented: PasskeyAssertion): Promise<void> {
    const key = tries.factor(person.userId);
    await countOrRefuse(this.#database, key, { limit: codesPerMinute, windowSeconds: 60 });
    const isRight = await this.#database.asSystem(async (tx) => {
      if (!(await this.accept(tx, ownerOf(person), person.sessionId, presented))) return false;
      await putProof(tx, person.sessionId);
      await clearTries(tx, [key]);
      return true;
    });
    if (!isRight) throw fieldRefusal('credential', 'validation.passkeyWrong');
  }

  #site(): Site {
    return siteOf(this.#appUrl());
  }

  async #verifyCreated(response: PasskeyAttestation, expectedChallenge: string) {
    const { id: expectedRPID, origin: expectedOrigin } = this.#site();
    const { verifyRegistrationResponse } = await webAuthn();
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: false,
      supportedAlgorithmIDs,
    }).catch(refused);
    return registrationInfo && { ...registrationInfo.credential, transports: response.response.transports };
  }
}

/**
 * Turns the library's exceptions into a refusal: it throws for a foreign key, another origin, a counter that
 * goes back.
 */
function refused(): { verified: false; registrationInfo?: never; authenticationInfo?: never } {
  return { verified: false };
}
