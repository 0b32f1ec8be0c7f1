import { Secret } from 'otpauth';
import { renderSVG } from 'uqr';
import type { Database, Tx } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { noticeAccessChange } from '#domain/notices.sql.ts';
import { fieldRefusal } from '#domain/refusal.ts';
import { clearTries } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { keepOnlySession } from '#http/session.sql.ts';
import type { Secrets } from '#security/secrets.ts';
import { keyUri } from '#security/totp.rules.ts';
import { acceptCode, appOff, appOn, appPending, appStateOf, countCode, noApp } from './app-codes.ts';
import { type Binding, deleteBindingsOf, findBinding, putBinding, takeEnrolmentCode } from './binding.sql.ts';
import { assertBindsFirst, assertMayBindHere, needsEnrolmentCode } from './first-factor.ts';
import { openCodes, sealFreshCodes } from './recovery-codes.ts';
import { lockOwnFactor, ownerOf, type StoredFactor, saveFactor } from './two-factor.sql.ts';

const secretBytes = 20;

/** A secret for an authenticator app. */
export interface ShownSecret {
  secretKey: string;
  /** The QR code, without an XML prologue. */
  svg: string;
  url: string;
}

/** A secret for a first binding, and whether it needs the enrollment code. */
export interface FirstBinding extends ShownSecret {
  isEnrolmentCodeNeeded: boolean;
}

/**
 * Binds an authenticator app: off → pending (a session generates a secret) → on (a first code confirms it). A
 * pending binding belongs to the session that began it. The session that binds continues under a new id, and
 * all others end.
 */
export class AppBindingService {
  readonly #database: Database;
  readonly #secrets: Secrets;
  /** Names the product in authenticator apps. */
  readonly #issuer: string;

  constructor(database: Database, secrets: Secrets, issuer: string) {
    this.#database = database;
    this.#secrets = secrets;
    this.#issuer = issuer;
  }

  /**
   * Begins to bind an app: generates a secret, unless this session has already begun or an app is bound.
   * `isForced` discards either and starts over. Returns whether a bound app was removed; the session then
   * continues under the new id. Throws `enrolment_elsewhere`.
   */
  async enable(
    person: Person,
    request: RequestInfo,
    { isForced, newSessionId }: { isForced: boolean; newSessionId: string },
  ): Promise<boolean> {
    return this.#change(person, async (tx, factor) => {
      const isOn = factor.secretEncrypted !== null;
      await assertMayBindHere(tx, person);
      if (!isForced && (isOn || (await findBinding(tx, person.sessionId)))) return false;
      if (isOn) await this.#forgetApp(tx, person);
      const keepsCodes = !isForced && factor.codesEncrypted !== null;
      await putBinding(tx, person, this.#fresh(keepsCodes));
      await auditPerson(tx, person, request, 'two_factor.enable', {
        before: isOn ? appOn : appOff,
        after: appPending,
      });
      if (!isOn) return false;
      await noticeAccessChange(tx, person, request, 'two_factor_off');
      await keepOnlySession(tx, person, newSessionId);
      return true;
    });
  }

  /**
   * Turns two-factor on with a first code from the app that this session is binding. Throws
   * `validation_failed` on `code`, `too_many_attempts`, `enrolment_elsewhere`.
   */
  async confirm(
    person: Person,
    request: RequestInfo,
    { code, newSessionId }: { code: string | undefined; newSessionId: string },
  ): Promise<void> {
    await countCode(this.#database, person, code);
    await this.#change(person, async (tx, factor) => {
      await assertMayBindHere(tx, person);
      return this.#turnOn(tx, person, request, { factor, code, newSessionId });
    });
  }

  /**
   * Returns the secret that this session is binding, or undefined if there is none. A bound secret is never
   * shown again.
   */
  async secretOf(person: Person): Promise<ShownSecret | undefined> {
    return this.#change(person, async (tx, { email }) => {
      const binding = await findBinding(tx, person.sessionId);
      return binding && this.#shown(binding, email);
    });
  }

  /**
   * Begins the first binding of a user who must have a second factor, at this merchant or at another; repeated calls in a session return
   * the same secret. Throws `conflict` for other users.
   */
  async begin(person: Person, request: RequestInfo): Promise<FirstBinding> {
    return this.#change(person, async (tx, { email }) => {
      await assertBindsFirst(tx, person);
      const isEnrolmentCodeNeeded = needsEnrolmentCode(person);
      const begun = await findBinding(tx, person.sessionId);
      if (begun) return { ...this.#shown(begun, email), isEnrolmentCodeNeeded };
      const binding = this.#fresh(false);
      await putBinding(tx, person, binding);
      await auditPerson(tx, person, request, 'two_factor.enable', { before: appOff, after: appPending });
      return { ...this.#shown(binding, email), isEnrolmentCodeNeeded };
    });
  }

  /**
   * Completes the first binding with a code and the enrollment code that came with the account; returns the
   * recovery codes. Throws like {@link confirm}, `validation_failed` on `enrolment_code`, or `conflict`.
   */
  async finish(
    person: Person,
    request: RequestInfo,
    shown: { code: string | undefined; enrolmentCode: string | undefined; newSessionId: string },
  ): Promise<string[]> {
    await this.#database.asSystem((tx) => assertBindsFirst(tx, person));
    const { code, enrolmentCode, newSessionId } = shown;
    if (needsEnrolmentCode(person) && enrolmentCode === undefined)
      throw fieldRefusal('enrolment_code', 'validation.enrolmentCodeRequired');
    await countCode(this.#database, person, code);
    return this.#change(person, async (tx, factor) => {
      await assertBindsFirst(tx, person);
      if (needsEnrolmentCode(person) && !(await takeEnrolmentCode(tx, person.userId, enrolmentCode ?? '')))
        throw fieldRefusal('enrolment_code', 'validation.enrolmentCodeWrong');
      return this.#turnOn(tx, person, request, { factor, code, newSessionId });
    });
  }

  #change<T>(person: Person, work: (tx: Tx, factor: StoredFactor) => Promise<T>): Promise<T> {
    return this.#database.asSystem(async (tx) => work(tx, await lockOwnFactor(tx, person)));
  }

  /** Binds the app whose binding this session began; returns the recovery codes now in force. */
  async #turnOn(
    tx: Tx,
    person: Person,
    request: RequestInfo,
    given: { factor: StoredFactor; code: string | undefined; newSessionId: string },
  ): Promise<string[]> {
    const { factor, code, newSessionId } = given;
    const binding = await findBinding(tx, person.sessionId);
    const secretEncrypted = binding?.secretEncrypted ?? null;
    const lastStep = acceptCode(this.#secrets, { ...factor, secretEncrypted, lastStep: null }, code);
    const codesEncrypted = binding?.codesEncrypted ?? factor.codesEncrypted;
    const change = { secretEncrypted, confirmedAt: factor.now, lastStep, codesEncrypted };
    await saveFactor(tx, ownerOf(person), change);
    await deleteBindingsOf(tx, person.userId);
    await clearTries(tx, [tries.factor(person.userId)]);
    await auditPerson(tx, person, request, 'two_factor.on', { before: appStateOf(factor), after: appOn });
    await noticeAccessChange(tx, person, request, 'two_factor_on');
    await keepOnlySession(tx, person, newSessionId, { secondFactor: 'app' });
    return openCodes(this.#secrets, codesEncrypted);
  }

  /** Removes the app. The recovery codes stay as long as there is a passkey. */
  async #forgetApp(tx: Tx, person: Person): Promise<void> {
    const codes = person.factors.includes('passkey') ? {} : { codesEncrypted: null };
    await saveFactor(tx, ownerOf(person), { ...noApp, ...codes });
  }

  /** Generates a secret, and recovery codes unless the person keeps the existing ones. */
  #fresh(keepsCodes: boolean): Binding {
    const secret = new Secret({ size: secretBytes }).base32;
    return {
      secretEncrypted: this.#secrets.encrypt(secret),
      codesEncrypted: keepsCodes ? null : sealFreshCodes(this.#secrets),
    };
  }

  #shown({ secretEncrypted }: Binding, email: string): ShownSecret {
    const secretKey = this.#secrets.decrypt(secretEncrypted);
    const url = keyUri(secretKey, this.#issuer, email);
    return { secretKey, url, svg: renderSVG(url) };
  }
}
