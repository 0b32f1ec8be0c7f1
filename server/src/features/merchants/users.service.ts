import type { RecordedAction } from '@hengfu/contract/audit-log';
import type { Database, Tx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { noticePerson, writeNotice } from '#domain/notices.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { clearTries } from '#domain/throttle.sql.ts';
import { locksOf } from '#domain/throttle-keys.ts';
import { hashStaffCode } from '#http/session.rules.ts';
import { deleteSessionsOf } from '#http/session.sql.ts';
import { freshStaffCode } from './staff-codes.ts';
import {
  clearSecondFactors,
  type FoundUser,
  lockUser,
  putEnrolmentCode,
  putUnlockCode,
} from './users.sql.ts';

/**
 * Lets an operator, or one of our staff, restore a user’s access to an account without email. Every step is audited. The back office
 * finds only people of the merchant for which it works.
 */
export class UserService {
  readonly #database: Database;
  readonly #actor: ServiceActor;
  /** The merchant for which the work is done; absent for an operator. */
  readonly #merchantId: bigint | undefined;

  constructor(database: Database, actor: ServiceActor, merchantId?: bigint) {
    this.#database = database;
    this.#actor = actor;
    this.#merchantId = merchantId;
  }

  /**
   * Clears failed attempts, so that sign-in, second factor and payment password work again. Throws
   * `not_found`.
   */
  async unlock(email: string): Promise<void> {
    await this.#withUser(email, 'user.unlock', (tx, user) => clearTries(tx, locksOf(user.id, user.email)));
  }

  /**
   * Makes a code that lets the owner of a locked account sign in with the password, while others keep
   * guessing. It works once, within half an hour. Throws `not_found`.
   */
  async makeUnlockCode(email: string): Promise<string> {
    const code = freshStaffCode();
    await this.#withUser(email, 'user.unlock_code', (tx, user) =>
      putUnlockCode(tx, user, hashStaffCode(code)),
    );
    return code;
  }

  /**
   * Makes a code for binding the first second factor at a merchant that requires one. It works once, within
   * 72 hours, and replaces any earlier code. Throws `not_found`; `conflict` if the user has a second factor.
   */
  async makeEnrolmentCode(email: string): Promise<string> {
    const code = freshStaffCode();
    await this.#withUser(email, 'user.enrolment_code', async (tx, user) => {
      if (user.hasFactor) throw new Refusal('conflict');
      await putEnrolmentCode(tx, user, hashStaffCode(code));
    });
    return code;
  }

  /**
   * Removes the second factors of a user who has lost them and ends the user's sessions. Returns the code for
   * binding a new one; undefined if no merchant of the user requires one. Throws `not_found`.
   */
  async resetTwoFactor(email: string): Promise<string | undefined> {
    return this.#within(async (tx) => resetFactors(tx, await this.#lock(tx, email), this.#actor));
  }

  /** Returns the ID of a user and of the merchant that the user works for, or is offered first. Throws `not_found`. */
  homeOf(email: string): Promise<{ userId: bigint; merchantId: bigint }> {
    return this.#within(async (tx) => {
      const { id, merchantId } = await this.#lock(tx, email);
      return { userId: id, merchantId };
    });
  }

  /** Ends every session of a user. Throws `not_found`. */
  async signOut(email: string): Promise<void> {
    await this.#withUser(email, 'user.sign_out', (tx, user) => deleteSessionsOf(tx, user.id));
  }

  #withUser<T>(
    email: string,
    action: RecordedAction,
    work: (tx: Tx, user: FoundUser) => Promise<T>,
  ): Promise<T> {
    return this.#within(async (tx) => {
      const user = await this.#lock(tx, email);
      const result = await work(tx, user);
      const subject = `user:${user.id}`;
      await writeAudit(tx, { merchantId: user.merchantId, ...fieldsOfActor(this.#actor), action, subject });
      return result;
    });
  }

  async #lock(tx: Tx, email: string): Promise<FoundUser> {
    const user = await lockUser(tx, email.trim().normalize('NFKC').toLowerCase());
    if (!user) throw new Refusal('not_found');
    return user;
  }

  #within<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const merchantId = this.#merchantId;
    return merchantId === undefined
      ? this.#database.asSystem(work)
      : this.#database.asMerchant(merchantId, work);
  }
}

/**
 * Removes the second factors of a user, and ends the sessions and locks. Returns the code for binding a new one; undefined if no merchant of
 * the user requires one. Notifies the user and the merchant. Audits it.
 */
export async function resetFactors(tx: Tx, user: FoundUser, by: ServiceActor): Promise<string | undefined> {
  const { id, email, merchantId, hasFactor, isFactorRequired } = user;
  const code = isFactorRequired ? freshStaffCode() : undefined;
  await clearSecondFactors(tx, user);
  await clearTries(tx, locksOf(id, email));
  await deleteSessionsOf(tx, id);
  if (code !== undefined) await putEnrolmentCode(tx, user, hashStaffCode(code));
  await noticePerson(tx, id, { kind: 'accessChanged', facts: { change: 'user_reset_two_factor' } });
  await writeNotice(tx, { merchantId, kind: 'factorReset', subject: email, facts: {} });
  await writeAudit(tx, {
    merchantId,
    ...fieldsOfActor(by),
    action: 'user.reset_two_factor',
    subject: `user:${id}`,
    before: { hasFactor },
    after: { hasFactor: false },
  });
  return code;
}
