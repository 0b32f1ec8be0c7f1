import type { Database, MerchantTx, Tx } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import { writeNotice } from '#domain/notices.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { lockStanding } from '#domain/standing.sql.ts';
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
  /** The acting operator, for the audit trail. */
  actor: string;
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

  /** Stops a merchant: its people, its keys, new orders and unsent payouts. */
  suspendMerchant(merchantId: bigint, reason: string): Promise<Changed> {
    return this.#changeMerchant(merchantId, true, reason);
  }

  /** Reactivates a merchant, and schedules the work that was held. */
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
          actor,
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
    const { database, actor, onReactivated } = this.#options;
    return database.asSystemFor(merchantId, async (tx) => {
      await lockStanding(tx, merchantId);
      if (!(await updateMerchant(tx, merchantId, isSuspended ? { actor, reason } : undefined)))
        return 'unchanged';
      await endSessions(tx, merchantId);
      await writeAudit(tx, {
        merchantId,
        actor,
        action: isSuspended ? 'merchant.suspend' : 'merchant.reactivate',
        before: { isSuspended: !isSuspended },
        after: { isSuspended, reason },
      });
      const kind = isSuspended ? 'merchantSuspended' : 'merchantReactivated';
      await writeNotice(tx, { merchantId, kind, facts: {} });
      if (!isSuspended) for (const schedule of onReactivated) await schedule(tx);
      return 'changed';
    });
  }
}

/** Notifies colleagues who manage access of a suspension, and the person of the reactivation. */
function noticeOf({ id: userId, email: subject }: FoundPerson, isSuspended: boolean) {
  return isSuspended
    ? ({ kind: 'accountSuspended', subject, facts: {} } as const)
    : ({ kind: 'accountReactivated', userId, facts: {} } as const);
}

async function endSessions(tx: Tx, merchantId: bigint): Promise<void> {
  for (const userId of await listSignedIn(tx, merchantId)) await deleteSessionsOf(tx, userId, merchantId);
}
