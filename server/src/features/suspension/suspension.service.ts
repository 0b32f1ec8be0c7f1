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

/** Plans what was held, in the transaction that reactivates its merchant. */
export type PlanHeld = (tx: MerchantTx) => Promise<void>;

export interface SuspensionOptions {
  database: Database;
  /** Who acts, for the trail. */
  actor: string;
  onReactivated: readonly PlanHeld[];
}

/** Whether a command changed anything: what is so already stays as it is, without another line on the trail. */
export type Changed = 'changed' | 'unchanged';

/**
 * Suspends and reactivates people and merchants. What each state stops is the contract's table (suspension.ts). A change
 * waits for the transactions that were allowed under the state before it, so that nothing slips through beside it.
 */
export class SuspensionService {
  readonly #options: SuspensionOptions;

  constructor(options: SuspensionOptions) {
    this.#options = options;
  }

  /** Ends a person's sessions and refuses to sign the person in. Throws `not_found`. */
  suspendPerson(email: string, reason: string): Promise<Changed> {
    return this.#changePerson(email, true, reason);
  }

  /** Lets a person sign in again. Throws `not_found`. */
  reactivatePerson(email: string, reason: string): Promise<Changed> {
    return this.#changePerson(email, false, reason);
  }

  /** Stops a merchant: its people, its keys, new orders and unsent payouts. */
  suspendMerchant(merchantId: bigint, reason: string): Promise<Changed> {
    return this.#changeMerchant(merchantId, true, reason);
  }

  /** Lets a merchant work again, and plans what was held. */
  reactivateMerchant(merchantId: bigint, reason: string): Promise<Changed> {
    return this.#changeMerchant(merchantId, false, reason);
  }

  /** How a merchant stands. Throws `not_found`. */
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
      const { id, merchantId } = person;
      await lockStanding(tx, merchantId);
      if (!(await updatePerson(tx, person, isSuspended))) return 'unchanged';
      // At reactivation, too: a sign-in that was under way when the person was suspended may have opened a session.
      await deleteSessionsOf(tx, id);
      await deleteUnlockCode(tx, person);
      await writeAudit(tx, {
        merchantId,
        actor,
        action: isSuspended ? 'user.suspend' : 'user.reactivate',
        subject: `user:${id}`,
        before: { isSuspended: !isSuspended },
        after: { isSuspended, reason },
      });
      await writeNotice(tx, noticeOf(person, isSuspended));
      return 'changed';
    });
  }

  #changeMerchant(merchantId: bigint, isSuspended: boolean, reason: string): Promise<Changed> {
    const { database, actor, onReactivated } = this.#options;
    return database.asSystemFor(merchantId, async (tx) => {
      await lockStanding(tx, merchantId);
      if (!(await updateMerchant(tx, merchantId, isSuspended))) return 'unchanged';
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
      if (!isSuspended) for (const plan of onReactivated) await plan(tx);
      return 'changed';
    });
  }
}

/** Colleagues who manage access learn of a suspension, the person of the reactivation. */
function noticeOf({ id: userId, merchantId, email: subject }: FoundPerson, isSuspended: boolean) {
  return isSuspended
    ? ({ merchantId, kind: 'accountSuspended', subject, facts: {} } as const)
    : ({ merchantId, kind: 'accountReactivated', userId, facts: {} } as const);
}

async function endSessions(tx: Tx, merchantId: bigint): Promise<void> {
  for (const userId of await listSignedIn(tx, merchantId)) await deleteSessionsOf(tx, userId);
}
