import type { PasskeyAssertion, PasskeyAttestation, PasskeyRequest } from '@hengfu/contract/passkeys';
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
import { WebAuthn } from '#security/web-authn.ts';
import { assertMayBindHere } from '../first-factor.ts';
import { sealFreshCodes } from '../recovery-codes.ts';
import { lockFactor, type Owner, ownerOf, saveFactor } from '../two-factor.sql.ts';
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

/** Binds and removes passkeys, and verifies them at sign-in and before an action. */
export class PasskeyService {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #webAuthn: WebAuthn;

  constructor({ database, secrets, title, appUrl }: PasskeyOptions) {
    this.#database = database;
    this.#secrets = secrets;
    this.#webAuthn = new WebAuthn(title, appUrl);
  }

  list(person: Person): Promise<PasskeyRow[]> {
    return this.#database.asSystem((tx) => listPasskeys(tx, ownerOf(person)));
  }

  /** Returns the options for creating a passkey that the user does not have yet. Throws `enrolment_elsewhere`. */
  async bindOptions(person: Person) {
    await this.#database.asSystem((tx) => assertMayBindHere(tx, person));
    const { userId: id, email, name } = person;
    const options = await this.#webAuthn.creation({ id, email, name }, await this.list(person));
    await this.#database.asSystem((tx) => putChallenge(tx, person.sessionId, options.challenge));
    return options;
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
    const checked =
      expectedChallenge && (await this.#webAuthn.verifyCreated(created.credential, expectedChallenge));
    if (!checked) throw fieldRefusal('credential', 'validation.passkeyWrong');
    await this.#database.asSystem(async (tx) => {
      const factor = await lockFactor(tx, owner);
      await assertMayBindHere(tx, person);
      const have = async () => (await listPasskeys(tx, owner)).length;
      await assertWithinQuota(tx, 'passkeysOfUser', person.userId, have);
      if (!(await insertPasskey(tx, owner, { ...checked, name }))) throw new Refusal('conflict');
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
    const options = await this.#webAuthn.request(keys);
    await putChallenge(tx, sessionId, options.challenge);
    return options;
  }

  /**
   * Whether a presented passkey is the user's and signs this browser's challenge. Each challenge is valid
   * once.
   */
  async accept(tx: Tx, owner: Owner, sessionId: string, presented: PasskeyAssertion): Promise<boolean> {
    const expectedChallenge = await takeChallenge(tx, sessionId);
    const key = await lockPasskey(tx, owner, presented.id);
    if (expectedChallenge === undefined || !key) return false;
    const signCount = await this.#webAuthn.verifyShown(presented, expectedChallenge, key);
    if (signCount === undefined) return false;
    await touchPasskey(tx, key.id, signCount);
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
}
