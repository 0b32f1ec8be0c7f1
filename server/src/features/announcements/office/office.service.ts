import type { AnnouncementBody } from '@hengfu/contract/staff/announcements';
import type { Database, Tx } from '#db/database.ts';
import { fieldsOfActor, ofService, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import {
  changeAnnouncement,
  endAnnouncement,
  findMerchantIds,
  insertAnnouncement,
  listStored,
  lockAnnouncement,
  type StoredAnnouncement,
} from './office.sql.ts';

export type { StoredAnnouncement };

/** Manages what the service announces. Operators and our staff write it; every change is audited. */
export class Announcements {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists the latest announcements, newest first. */
  list(): Promise<StoredAnnouncement[]> {
    return this.#database.asSystem((tx) => listStored(tx));
  }

  /** Announces something; returns its ID. Throws `validation_failed` on `merchants` and `endsAt`. */
  add(body: AnnouncementBody, by: ServiceActor): Promise<bigint> {
    return this.#database.asSystem(async (tx) => {
      const id = await insertAnnouncement(tx, body, await merchantsOf(tx, body));
      await this.#audit(tx, by, 'announcement.add', { id, after: body });
      return id;
    });
  }

  /** Changes an announcement. Throws `not_found`, `conflict` for one that is over, and what {@link add} throws. */
  change(id: bigint, body: AnnouncementBody, by: ServiceActor): Promise<void> {
    return this.#database.asSystem(async (tx) => {
      const before = await lockOpen(tx, id);
      await changeAnnouncement(tx, id, body, await merchantsOf(tx, body));
      await this.#audit(tx, by, 'announcement.change', { id, before, after: body });
    });
  }

  /** Ends an announcement now. Throws `not_found`, and `conflict` for one that is over. */
  end(id: bigint, by: ServiceActor): Promise<void> {
    return this.#database.asSystem(async (tx) => {
      const before = await lockOpen(tx, id);
      await endAnnouncement(tx, id);
      await this.#audit(tx, by, 'announcement.end', { id, before });
    });
  }

  async #audit(
    tx: Tx,
    by: ServiceActor,
    action: `announcement.${'add' | 'change' | 'end'}`,
    { id, ...values }: { id: bigint; before?: StoredAnnouncement; after?: AnnouncementBody },
  ): Promise<void> {
    const { before, after } = values;
    const known = before && { ...before, id: String(before.id) };
    await writeAudit(tx, {
      merchantId: null,
      ...fieldsOfActor(by),
      action,
      subject: String(id),
      ...(known && { before: known }),
      ...(after && { after }),
    });
    tx.changed(ofService, 'announcements', 'service');
  }
}

async function lockOpen(tx: Tx, id: bigint): Promise<StoredAnnouncement> {
  const found = await lockAnnouncement(tx, id);
  if (!found) throw new Refusal('not_found');
  if (found.state === 'over') throw new Refusal('conflict');
  return found;
}

/** Returns the IDs of the chosen merchants; null for all. Throws `validation_failed` for a code that no merchant has, and for an end in the past. */
async function merchantsOf(tx: Tx, { merchants: codes, endsAt }: AnnouncementBody): Promise<bigint[] | null> {
  if (endsAt !== null && Date.parse(endsAt) <= Date.now())
    throw fieldRefusal('endsAt', 'officeAnnouncements.endsFault');
  if (codes.length === 0) return null;
  const wanted = [...new Set(codes)];
  const found = await findMerchantIds(tx, wanted);
  const missing = wanted.find((code) => !found.has(code));
  if (missing !== undefined)
    throw fieldRefusal('merchants', 'officeAnnouncements.merchantFault', { code: missing });
  return [...found.values()];
}
