import { isDeepStrictEqual } from 'node:util';
import type { AnnouncementBody } from '@hengfu/contract/staff/announcements';
import type { Database, Tx } from '#db/database.ts';
import { fieldsOfActor, ofService, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import { versionOf } from '#domain/version.ts';
import { factsOf } from './office.facts.ts';
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

/** A change that two people agree to: a new announcement, or another text of one, as both have read it. */
interface AnnouncementChange {
  announcement: { id: string; before: object } | null;
  after: AnnouncementBody;
}

type Options = { breakGlass?: string | undefined };

/** As much of a new text as names its request. */
const subjectLength = 80;

/**
 * Manages what the service announces. Two people agree to every text, because it speaks to all merchants in the name of the service. One person ends
 * it. Every change is audited.
 */
export class Announcements {
  readonly #database: Database;
  readonly #requests: StaffRequests;

  constructor(database: Database, requests: StaffRequests) {
    this.#database = database;
    this.#requests = requests;
  }

  /** Lists the latest announcements, newest first. */
  list(): Promise<StoredAnnouncement[]> {
    return this.#database.asSystem((tx) => listStored(tx));
  }

  /**
   * Asks for a new announcement. Returns the request's ID; undefined if an operator's was announced at once. Throws `validation_failed` on
   * `merchants` and `endsAt`, and `request_waiting` while the same text waits.
   */
  async askToAdd(after: AnnouncementBody, by: ServiceActor, reason: string, options: Options = {}) {
    await this.#database.asSystem((tx) => merchantsOf(tx, after));
    const change: AnnouncementChange = { announcement: null, after };
    const question = {
      kind: 'announcement',
      merchantId: null,
      // Others may begin with the same words, or be for other merchants.
      subject: `${after.text.slice(0, subjectLength)} · ${versionOf(after).slice(0, 6)}`,
      change,
      facts: factsOf(undefined, after),
      reason,
    } as const;
    return this.#requests.ask(question, by, options);
  }

  /** Asks for a change of an announcement. Returns, and throws, likewise; also throws `not_found`, and `conflict` for one that is over. */
  async askToChange(id: bigint, after: AnnouncementBody, by: ServiceActor, reason: string) {
    const before = await this.#database.asSystem(async (tx) => {
      await merchantsOf(tx, after);
      return lockOpen(tx, id);
    });
    const change: AnnouncementChange = {
      announcement: { id: String(id), before: contentOf(before) },
      after,
    };
    const question = {
      kind: 'announcement',
      merchantId: null,
      subject: `#${id}`,
      change,
      facts: factsOf(before, after),
      reason,
    } as const;
    return this.#requests.ask(question, by);
  }

  /** Ends an announcement now. Throws `not_found`, and `conflict` for one that is over. */
  end(id: bigint, by: ServiceActor): Promise<void> {
    return this.#database.asSystem(async (tx) => {
      const before = await lockOpen(tx, id);
      await endAnnouncement(tx, id);
      await audit(tx, by, 'announcement.end', { id, before });
    });
  }
}

/** Announces what two people agree to, unless the announcement is another one by now, or its time is over. */
export const announcementEffects: StaffEffects = {
  async perform(tx, { change }, by) {
    const { announcement, after } = change as AnnouncementChange;
    const merchants = await merchantsOf(tx, after).catch(changed);
    if (announcement === null) {
      const id = await insertAnnouncement(tx, after, merchants);
      return audit(tx, by, 'announcement.add', { id, after });
    }
    const id = BigInt(announcement.id);
    const before = await lockOpen(tx, id).catch(changed);
    if (!isDeepStrictEqual(contentOf(before), announcement.before)) throw new Refusal('approval_changed');
    await changeAnnouncement(tx, id, after, merchants);
    return audit(tx, by, 'announcement.change', { id, before, after });
  },
};

/** Replaces a refusal, which the person who approves could do nothing about. */
function changed(error: unknown): never {
  throw error instanceof Refusal ? new Refusal('approval_changed') : error;
}

async function audit(
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

/** Returns what an announcement says, and to whom, as a request stores it. */
function contentOf({ kind, text, startsAt, endsAt, merchants }: StoredAnnouncement): object {
  return {
    kind,
    text,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    merchants,
  };
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
