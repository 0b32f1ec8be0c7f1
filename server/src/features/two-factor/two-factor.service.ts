import type { Database, Tx } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { noticeAccessChange } from '#domain/notices.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { clearTries } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { keepOnlySession } from '#http/session.sql.ts';
import type { Secrets } from '#security/secrets.ts';
import { acceptCode, appOff, appStateOf, countCode, noApp } from './app-codes.ts';
import { deleteBindingsOf, findBinding, putBinding } from './binding.sql.ts';
import { deletePasskeys, takeProof } from './passkeys/passkeys.sql.ts';
import { openCodes, sealFreshCodes } from './recovery-codes.ts';
import { lockOwnFactor, ownerOf, type StoredFactor, saveFactor } from './two-factor.sql.ts';

/**
 * Manages the second factor of a user who has one: verifies it for an action, turns it off, reads and renews
 * its recovery codes. Every change continues the session under a new id and ends all others.
 */
export class TwoFactorService {
  readonly #database: Database;
  readonly #secrets: Secrets;

  constructor(database: Database, secrets: Secrets) {
    this.#database = database;
    this.#secrets = secrets;
  }

  /**
   * Verifies the second factor of a person who has one: a code, or a passkey verified just before. Throws
   * `validation_failed` on `code`, `too_many_attempts`.
   */
  async check(person: Person, code: string | undefined): Promise<void> {
    if (person.twoFactor !== 'on') return;
    if (code === undefined) {
      if (await this.#database.asSystem((tx) => takeProof(tx, person.sessionId), { oneStatement: true }))
        return;
      if (!person.factors.includes('app')) throw fieldRefusal('code', 'validation.passkeyRequired');
    }
    await countCode(this.#database, person, code);
    await this.#change(person, async (tx, factor) => {
      const lastStep = acceptCode(this.#secrets, factor, code);
      await clearTries(tx, [tries.factor(person.userId)]);
      await saveFactor(tx, ownerOf(person), { lastStep });
    });
  }

  /**
   * Turns two-factor off and deletes everything, passkeys too; a user who must have a second factor then has
   * to bind one before anything else opens. Returns whether there was anything to delete; the session then
   * continues under the new id.
   */
  async disable(person: Person, request: RequestInfo, newSessionId: string): Promise<boolean> {
    return this.#change(person, async (tx, factor) => {
      await deleteBindingsOf(tx, person.userId);
      const passkeys = await deletePasskeys(tx, ownerOf(person));
      if (factor.secretEncrypted === null && passkeys === 0) return false;
      await saveFactor(tx, ownerOf(person), { ...noApp, codesEncrypted: null });
      const before = { ...appStateOf(factor), passkeys };
      await auditPerson(tx, person, request, 'two_factor.off', { before, after: { ...appOff, passkeys: 0 } });
      await noticeAccessChange(tx, person, request, 'two_factor_off');
      await keepOnlySession(tx, person, newSessionId);
      return true;
    });
  }

  /**
   * Returns the recovery codes: those of this session's pending binding, or else those of the person, if any.
   */
  async codesOf(person: Person): Promise<string[]> {
    return this.#change(person, async (tx, factor) => {
      const binding = await findBinding(tx, person.sessionId);
      return openCodes(this.#secrets, binding?.codesEncrypted ?? factor.codesEncrypted);
    });
  }

  /**
   * Replaces all recovery codes. Throws `not_found` if there are none. Returns whether they were in force;
   * the session then continues under the new id, and sessions opened with an old code end.
   */
  async renewCodes(person: Person, request: RequestInfo, newSessionId: string): Promise<boolean> {
    return this.#change(person, async (tx, factor) => {
      const binding = await findBinding(tx, person.sessionId);
      const codesEncrypted = sealFreshCodes(this.#secrets);
      if (!binding?.codesEncrypted && factor.codesEncrypted === null) throw new Refusal('not_found');
      await auditPerson(tx, person, request, 'two_factor.codes_renewed');
      if (binding?.codesEncrypted) {
        await putBinding(tx, person, { ...binding, codesEncrypted });
        return false;
      }
      await saveFactor(tx, ownerOf(person), { codesEncrypted });
      await noticeAccessChange(tx, person, request, 'two_factor_codes_renewed');
      await keepOnlySession(tx, person, newSessionId);
      return true;
    });
  }

  #change<T>(person: Person, work: (tx: Tx, factor: StoredFactor) => Promise<T>): Promise<T> {
    return this.#database.asSystem(async (tx) => work(tx, await lockOwnFactor(tx, person)));
  }
}
