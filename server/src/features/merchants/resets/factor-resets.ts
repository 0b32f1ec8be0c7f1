import type { Database, MerchantTx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import { nameOfActor, type ServiceActor } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { findListedMerchant } from '#domain/staff-merchants.sql.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import type { Secrets } from '#security/secrets.ts';
import { resetFactors } from '../users.service.ts';
import { lockUser } from '../users.sql.ts';
import {
  deleteExpiredCodes,
  dropCode,
  findResettable,
  isRequiredAnywhere,
  saveCode,
  takeCode,
} from './factor-resets.sql.ts';

/** A person of a merchant. */
export interface PersonOfMerchant {
  merchantId: bigint;
  userId: bigint;
}

interface Options {
  /** Works as `hengfu_staff`. */
  database: Database;
  requests: StaffRequests;
  secrets: Secrets;
}

/** Removes the second factors of merchants' people who have lost them, once two people agree. */
export class FactorResets {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Returns a person of a merchant by the merchant's code. Throws `not_found`. */
  async personOf(code: string, userId: bigint): Promise<PersonOfMerchant> {
    const { database } = this.#options;
    const { id } = await database.asSystem((tx) => findListedMerchant(tx, code));
    return { merchantId: id, userId };
  }

  /**
   * Asks for a reset. Returns the request's ID; undefined if an operator's was made at once. Throws `not_found`, `forbidden`, `conflict` if the
   * person has no second factor, and `request_waiting`.
   */
  async ask(
    { merchantId, userId }: PersonOfMerchant,
    by: ServiceActor,
    reason: string,
    options: { breakGlass?: string | undefined } = {},
  ): Promise<bigint | undefined> {
    const { database, requests } = this.#options;
    const person = await database.asMerchant(merchantId, (tx) => findResettable(tx, userId));
    if (!person) throw new Refusal('not_found');
    if (!person.hasFactor) throw new Refusal('conflict');
    const question = {
      kind: 'factorReset',
      merchantId,
      subject: person.email,
      change: { userId: String(userId) },
      facts: [
        { name: 'name', before: null, after: person.name },
        { name: 'person', before: null, after: person.email },
      ],
      reason,
    } as const;
    return requests.ask(question, by, options);
  }

  /**
   * Returns, once, the enrollment code that somebody has to hand over; undefined if no merchant of the person requires a second factor.
   * Audits it.
   */
  async takeCode({ merchantId, userId }: PersonOfMerchant, by: ServiceActor): Promise<string | undefined> {
    const { database, secrets } = this.#options;
    return database.asMerchant(merchantId, async (tx) => {
      const sealed = await takeCode(tx, userId, nameOfActor(by));
      if (!sealed) return undefined;
      const action = 'user.enrolment_code';
      await writeAudit(tx, { merchantId, ...fieldsOfActor(by), action, subject: `user:${userId}` });
      return secrets.decrypt(sealed);
    });
  }

  /** Makes the reset once the second person agrees. That person alone reads the code. */
  readonly effects: StaffEffects = {
    perform: async (given, { merchantId, subject, change }, by) => {
      if (merchantId === null) throw new Error('a reset concerns a merchant');
      const tx = given as MerchantTx;
      const user = await lockUser(tx, subject);
      const { userId } = change as { userId: string };
      const person = await findResettable(tx, BigInt(userId));
      if (user?.id !== BigInt(userId) || !person?.hasFactor) throw new Refusal('approval_changed');
      const isFactorRequired = await isRequiredAnywhere(tx, user.id);
      const code = await resetFactors(tx, { ...user, merchantId, isFactorRequired }, by);
      if (code === undefined) await dropCode(tx, user.id);
      else
        await saveCode(tx, user.id, {
          reader: nameOfActor(by),
          sealed: this.#options.secrets.encrypt(code),
        });
    },
  };

  /** Deletes the codes that nobody has read in time. */
  async sweep(): Promise<void> {
    await this.#options.database.asSystem((tx) => deleteExpiredCodes(tx));
  }
}
