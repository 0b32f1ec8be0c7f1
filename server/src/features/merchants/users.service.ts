import type { RecordedAction } from '@hengfu/contract/audit-log';
import type { Database, Tx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { noticePerson, writeNotice } from '#domain/notices.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { clearTries } from '#domain/throttle.sql.ts';
import { locksOf } from '#domain/throttle-keys.ts';
import { listWorkplaces } from '#domain/workplaces.sql.ts';
import { hashStaffCode } from '#http/session.rules.ts';
import { deleteSessionsOf } from '#http/session.sql.ts';
import { hashPassword } from '#security/passwords.ts';
import { freshStaffCode } from './staff-codes.ts';
import {
  clearSecondFactors,
  type FoundUser,
  findEmailSince,
  lockUser,
  putEnrolmentCode,
  putUnlockCode,
  replacePasswords,
} from './users.sql.ts';

/** The merchants that a person works for, by code; at least one. */
export type Workplaces = [Workplace, ...Workplace[]];
type Workplace = { id: bigint; code: string };

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

  /**
   * Gives a person who has forgotten it a new login password, removes the payment password, which the person then sets anew, and ends
   * the person's sessions and locks. Second factors and a suspension stay. Throws `not_found`, also for somebody who has left every
   * merchant; `approval_changed` if the email is no longer that of `userId`.
   */
  async resetPassword(email: string, userId: bigint, password: string): Promise<void> {
    const passwordHash = await hashPassword(password);
    await this.#within(async (tx) => {
      const user = await this.#lock(tx, email);
      if (user.id !== userId) throw new Refusal('approval_changed');
      const merchants = await this.#merchantsOf(tx, user);
      await replacePasswords(tx, user, passwordHash);
      await clearTries(tx, locksOf(user.id, user.email));
      await deleteSessionsOf(tx, user.id);
      await noticePerson(tx, user.id, { kind: 'accessChanged', facts: { change: 'user_reset_password' } });
      for (const { id: merchantId } of merchants) {
        await writeNotice(tx, { merchantId, kind: 'passwordReset', subject: user.email, facts: {} });
        await this.#audit(tx, { id: user.id, merchantId }, 'user.reset_password');
      }
    });
  }

  /**
   * Returns the ID of a person and the merchants that the person works for. Throws `not_found`, also for somebody who has left every
   * merchant.
   */
  personOf(email: string): Promise<{ userId: bigint; merchants: Workplaces }> {
    return this.#within(async (tx) => {
      const user = await this.#lock(tx, email);
      return { userId: user.id, merchants: await this.#merchantsOf(tx, user) };
    });
  }

  /** Returns the present email of the only account that had this one before; undefined while an account has it. */
  emailSince(email: string): Promise<string | undefined> {
    return this.#within((tx) => findEmailSince(tx, normalized(email)));
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
      await this.#audit(tx, user, action);
      return result;
    });
  }

  async #audit(
    tx: Tx,
    { id, merchantId }: Pick<FoundUser, 'id' | 'merchantId'>,
    action: RecordedAction,
  ): Promise<void> {
    await writeAudit(tx, { merchantId, ...fieldsOfActor(this.#actor), action, subject: `user:${id}` });
  }

  /** Lists the merchants that a user works for, by code. Throws `not_found` if there is none. */
  async #merchantsOf(tx: Tx, { id: userId }: FoundUser): Promise<Workplaces> {
    const all = (await listWorkplaces(tx, userId)).map(({ merchantId: id, code }) => ({ id, code }));
    const [first, ...others] = all.toSorted((a, b) => (a.code < b.code ? -1 : 1));
    if (!first) throw new Refusal('not_found');
    return [first, ...others];
  }

  async #lock(tx: Tx, email: string): Promise<FoundUser> {
    const user = await lockUser(tx, normalized(email));
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

/** Returns an email address as accounts store it. */
function normalized(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase();
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
