import type { Database, MerchantTx, Tx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { writeNotice } from '#domain/notices.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { findListedMerchant, type ListedMerchant } from '#domain/staff-merchants.sql.ts';
import { lockStanding } from '#domain/standing.sql.ts';
import { isTestMerchant } from '#domain/twins.sql.ts';
import { deleteSessionsOf } from '#http/session.sql.ts';
import {
  deleteUnlockCode,
  type FoundPerson,
  findPerson,
  listSignedIn,
  type MerchantStanding,
  readStanding,
  updateMerchant,
  updatePerson,
} from './suspension.sql.ts';

/** Schedules the work that was held, in the transaction that reactivates its merchant. */
export type ScheduleHeld = (tx: MerchantTx) => Promise<void>;

export interface SuspensionOptions {
  database: Database;
  /** The acting operator, or one of our staff, for the audit trail. */
  actor: ServiceActor;
  onReactivated: readonly ScheduleHeld[];
}

/** Whether a command changed anything. A repeated command leaves no second entry in the audit trail. */
export type Changed = 'changed' | 'unchanged';

/**
 * Suspends and reactivates people and merchants. The contract defines what each state stops (suspension.ts).
 * A change waits for the transactions that were allowed before it, so that none of them slips through.
 */
export class SuspensionService {
  readonly #options: SuspensionOptions;

  constructor(options: SuspensionOptions) {
    this.#options = options;
  }

  /** Ends a person's sessions and blocks further sign-ins. Throws `not_found`. */
  suspendPerson(email: string, reason: string): Promise<Changed> {
    return this.#changePerson(email, true, reason);
  }

  /** Allows a person to sign in again. Throws `not_found`. */
  reactivatePerson(email: string, reason: string): Promise<Changed> {
    return this.#changePerson(email, false, reason);
  }

  /** Finds a merchant by its code. Throws `not_found`. */
  find(code: string): Promise<ListedMerchant> {
    return this.#options.database.asSystem((tx) => findListedMerchant(tx, code));
  }

  /** Stops a merchant: its people, its keys, new orders and unsent payouts. Throws `follows_live` for a test merchant. */
  suspendMerchant(merchantId: bigint, reason: string): Promise<Changed> {
    return this.#changeMerchant(merchantId, true, reason);
  }

  /** Reactivates a merchant, and schedules the work that was held. Throws `follows_live` for a test merchant. */
  reactivateMerchant(merchantId: bigint, reason: string): Promise<Changed> {
    return this.#changeMerchant(merchantId, false, reason);
  }

  /** Returns a merchant's suspension status. Throws `not_found`. */
  async standing(merchantId: bigint): Promise<MerchantStanding> {
    const standing = await this.#options.database.asSystem((tx) => readStanding(tx, merchantId));
    if (!standing) throw new Refusal('not_found');
    return standing;
  }

  #changePerson(given: string, isSuspended: boolean, reason: string): Promise<Changed> {
    const { database, actor } = this.#options;
    const email = given.trim().normalize('NFKC').toLowerCase();
    return database.asSystem(async (tx) => {
      const person = await findPerson(tx, email);
      if (!person) throw new Refusal('not_found');
      const { id, merchantIds } = person;
      for (const merchantId of merchantIds) await lockStanding(tx, merchantId);
      if (!(await updatePerson(tx, person, isSuspended))) return 'unchanged';
      // On reactivation, too: a sign-in that was in progress during the suspension may have opened a session.
      await deleteSessionsOf(tx, id);
      await deleteUnlockCode(tx, person);
      for (const merchantId of merchantIds) {
        await writeAudit(tx, {
          merchantId,
          ...fieldsOfActor(actor),
          action: isSuspended ? 'user.suspend' : 'user.reactivate',
          subject: `user:${id}`,
          before: { isSuspended: !isSuspended },
          after: { isSuspended, reason },
        });
        await writeNotice(tx, { merchantId, ...noticeOf(person, isSuspended) });
        tx.changed(merchantId, 'team');
      }
      return 'changed';
    });
  }

  #changeMerchant(merchantId: bigint, isSuspended: boolean, reason: string): Promise<Changed> {
    const { database, ...change } = this.#options;
    return database.asSystemFor(merchantId, (tx) => changeMerchant(tx, { ...change, isSuspended, reason }));
  }
}

/** A change of a merchant's standing. */
interface StandingChange extends Omit<SuspensionOptions, 'database'> {
  isSuspended: boolean;
  reason: string;
}

/** Suspends or reactivates the merchant of a transaction. Throws `follows_live` for a test merchant. */
export async function changeMerchant(
  tx: MerchantTx,
  { actor, isSuspended, reason, onReactivated }: StandingChange,
): Promise<Changed> {
  const { merchantId } = tx;
  await lockStanding(tx, merchantId);
  if (await isTestMerchant(tx)) throw new Refusal('follows_live');
  const by = fieldsOfActor(actor);
  const suspension = isSuspended ? { actor: by.actor, reason } : undefined;
  if (!(await updateMerchant(tx, merchantId, suspension))) return 'unchanged';
  await endSessions(tx, merchantId);
  await writeAudit(tx, {
    merchantId,
    ...by,
    action: isSuspended ? 'merchant.suspend' : 'merchant.reactivate',
    before: { isSuspended: !isSuspended },
    after: { isSuspended, reason },
  });
  const kind = isSuspended ? 'merchantSuspended' : 'merchantReactivated';
  await writeNotice(tx, { merchantId, kind, facts: {} });
  tx.changed(ofService, 'merchants');
  if (!isSuspended) for (const schedule of onReactivated) await schedule(tx);
  return 'changed';
}

/** The list of merchants concerns our staff alone. */
const ofService = 0n;

/** Notifies colleagues who manage access of a suspension, and the person of the reactivation. */
function noticeOf({ id: userId, email: subject }: FoundPerson, isSuspended: boolean) {
  return isSuspended
    ? ({ kind: 'accountSuspended', subject, facts: {} } as const)
    : ({ kind: 'accountReactivated', userId, facts: {} } as const);
}

async function endSessions(tx: Tx, merchantId: bigint): Promise<void> {
  for (const userId of await listSignedIn(tx, merchantId)) await deleteSessionsOf(tx, userId, merchantId);
}
