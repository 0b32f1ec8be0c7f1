import type { Database, MerchantTx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { Home, StaffActor, StaffMember } from '#domain/caller.ts';
import { writeNotice } from '#domain/notices.sql.ts';
import { holdCount } from '#domain/quota.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { findListedMerchant } from '#domain/staff-merchants.sql.ts';
import { findOpenLook, insertLook, type Look, readHome } from './looks.sql.ts';

export type { Look };

/** A look, with the merchant that it is at. */
export interface LookAt extends Look {
  home: Home;
}

/** Lets our staff see what a merchant sees, for half an hour, for a reason that the merchant reads. */
export class MerchantLooks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Begins a look, or returns the one that is open. The merchant is notified of each that begins. Throws `not_found`. */
  begin(code: string, { member, request }: StaffActor, reason: string): Promise<LookAt> {
    return this.#within(code, async (tx, home) => {
      await holdCount(tx, `look ${member.staffId} ${home.merchantId}`);
      const open = await findOpenLook(tx, member.staffId);
      if (open) return { ...open, home };
      const look = await insertLook(tx, member.staffId, reason);
      await writeAudit(tx, {
        merchantId: home.merchantId,
        ...fieldsOfActor({ member, request }),
        action: 'merchant.see',
        after: { reason, until: look.endsAt.toISOString() },
      });
      await writeNotice(tx, { merchantId: home.merchantId, kind: 'consoleViewed', facts: {} });
      return { ...look, home };
    });
  }

  /** Returns the open look of a member of our staff; undefined if there is none. Throws `not_found`. */
  current(code: string, { staffId }: StaffMember): Promise<LookAt | undefined> {
    return this.#within(code, async (tx, home) => {
      const look = await findOpenLook(tx, staffId);
      return look && { ...look, home };
    });
  }

  /** Returns the merchant whose pages a member of our staff may see now. Throws `look_needed`, `not_found`. */
  async homeFor(code: string, member: StaffMember): Promise<Home> {
    const look = await this.current(code, member);
    if (!look) throw new Refusal('look_needed');
    return look.home;
  }

  async #within<T>(code: string, work: (tx: MerchantTx, home: Home) => Promise<T>): Promise<T> {
    const { id } = await this.#database.asSystem((tx) => findListedMerchant(tx, code));
    return this.#database.asMerchant(id, async (tx) => work(tx, await readHome(tx)));
  }
}
