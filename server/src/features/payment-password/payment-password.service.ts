import { type PaymentPasswordChange, paymentPasswordLock } from '@hengfu/contract/payment-password';
import type { Database } from '#db/database.ts';
import { lockAccount } from '#domain/accounts.sql.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { clearTries, countForLock, readBlock } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { assertOpen } from '#http/session.sql.ts';
import { hashPassword, isPasswordOf } from '#security/passwords.ts';
import { type Owner, readPaymentPassword, updatePaymentPassword } from './payment-password.sql.ts';

/** Manages the payment passwords of people who may pay out. */
export class PaymentPasswordService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns whether a person has one, and for how many seconds it is still locked. */
  async status(person: Person): Promise<{ isSet: boolean; lockedSeconds: number }> {
    return this.#database.asSystem(async (tx) => {
      const [hash, lockedSeconds] = await Promise.all([
        readPaymentPassword(tx, ownerOf(person)),
        readBlock(tx, tries.paymentPassword(person.userId)),
      ]);
      return { isSet: hash !== null, lockedSeconds };
    });
  }

  /**
   * Sets or changes a payment password. Throws `validation_failed` on `current_payment_password`,
   * `too_many_attempts`, `conflict`; `unauthenticated` if the session has ended meanwhile.
   */
  async set(person: Person, request: RequestInfo, change: PaymentPasswordChange): Promise<void> {
    const from = await this.#database.asSystem((tx) => readPaymentPassword(tx, ownerOf(person)), {
      oneStatement: true,
    });
    if (from !== null) await this.#check(person, from, change.current_payment_password);
    const to = await hashPassword(change.payment_password, `user:${person.userId}`);
    await this.#database.asSystem(async (tx) => {
      // A reset removes the payment password and ends the sessions: none of them may set the next one.
      await lockAccount(tx, person.userId);
      await assertOpen(tx, person.sessionId);
      if (!(await updatePaymentPassword(tx, ownerOf(person), { from, to }))) throw new Refusal('conflict');
      await auditPerson(tx, person, request, 'payment_password.set', {
        // The audit trail holds no password, not even a hash.
        before: { isSet: from !== null },
        after: { isSet: true },
      });
    });
  }

  /**
   * Checks a person's payment password. Throws `validation_failed` on `payment_password`,
   * `too_many_attempts`.
   */
  async verify(person: Person, password: string): Promise<void> {
    const field = 'payment_password';
    const hash = await this.#database.asSystem((tx) => readPaymentPassword(tx, ownerOf(person)), {
      oneStatement: true,
    });
    if (hash === null) throw fieldRefusal(field, 'validation.paymentPasswordNotSet');
    await this.#check(person, hash, password, field);
  }

  async #check(
    person: Person,
    hash: string,
    password: string | undefined,
    field = 'current_payment_password',
  ): Promise<void> {
    if (!password) throw fieldRefusal(field, 'validation.paymentPasswordRequired');
    await countForLock(this.#database, tries.paymentPassword(person.userId), paymentPasswordLock);
    if (!(await isPasswordOf(password, hash, `user:${person.userId}`)))
      throw fieldRefusal(field, 'validation.passwordWrong');
    await this.#database.asSystem((tx) => clearTries(tx, [tries.paymentPassword(person.userId)]));
  }
}

function ownerOf({ home, userId }: Person): Owner {
  return { merchantId: home.merchantId, userId };
}
