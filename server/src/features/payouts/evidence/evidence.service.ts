import { createHash } from 'node:crypto';
import { quotas } from '@hengfu/contract/quotas';
import { evidenceLimits, evidenceTypeOf } from '@hengfu/contract/staff/evidence';
import type { Database, Tx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { findMerchantForService } from '#domain/orders.sql.ts';
import { holdCount, quotaReached } from '#domain/quota.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { toStoredImage } from '#files/stored-image.ts';
import { isUnknown } from '../cases/payout-outcomes.rules.ts';
import { findPayout } from '../payouts.sql.ts';
import {
  countLately,
  countLoose,
  type Evidence,
  insertEvidence,
  listKept,
  type NewEvidence,
  readKept,
  sweepLoose,
} from './evidence.sql.ts';

export type { Evidence };

/** Takes the files that show the outcome of a payout, and shows them to the second person. */
export class PayoutEvidence {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Stores a file for a request about a payout of unknown outcome. Pictures are re-encoded. Throws `not_found`, `invalid_transition`,
   * `validation_failed` on `file`, `uploads_busy`, `quota_reached`.
   */
  async upload(
    tradeNo: string,
    { name, bytes }: { name: string; bytes: Buffer },
    by: ServiceActor,
  ): Promise<Evidence> {
    await this.#assertUnknown(tradeNo);
    const uploadedBy = fieldsOfActor(by).actor;
    // Before the picture is decoded, which takes time.
    await this.#database.asSystem((tx) => assertFree(tx, uploadedBy));
    const file = await toStored(bytes, uploadedBy);
    return this.#database.asSystem(async (tx) => {
      await holdCount(tx, 'evidence');
      await assertFree(tx, uploadedBy);
      const stored = await insertEvidence(tx, { subject: tradeNo, uploadedBy, name, ...file });
      const { type, sha256 } = stored;
      await writeAudit(tx, {
        merchantId: null,
        ...fieldsOfActor(by),
        action: 'payout.evidence',
        subject: tradeNo,
        after: { file: name, type, sha256: sha256.toString('hex') },
      });
      return stored;
    });
  }

  /** Lists the files that somebody has asked with about a payout. */
  list(tradeNo: string): Promise<Evidence[]> {
    return this.#database.asSystem((tx) => listKept(tx, tradeNo));
  }

  /** Reads a file that somebody has asked with. Throws `not_found`. */
  async read(subject: string, id: bigint): Promise<Pick<NewEvidence, 'name' | 'type' | 'content'>> {
    const found = await this.#database.asSystem((tx) => readKept(tx, { subject, id }));
    if (!found) throw new Refusal('not_found');
    return found;
  }

  /** Deletes the files that nobody has asked with within a day. */
  sweep(): Promise<void> {
    return this.#database.asSystem(sweepLoose);
  }

  async #assertUnknown(tradeNo: string): Promise<void> {
    const merchantId = await this.#database.asSystem((tx) => findMerchantForService(tx, 'payout', tradeNo));
    if (merchantId === undefined) throw new Refusal('not_found');
    const order = await this.#database.asMerchant(merchantId, (tx) => findPayout(tx, { tradeNo }));
    if (!order) throw new Refusal('not_found');
    if (!isUnknown(order))
      throw new Refusal('invalid_transition', { values: { status: `payouts.status.${order.status}` } });
  }
}

async function assertFree(tx: Tx, uploadedBy: string): Promise<void> {
  const counts = {
    evidenceOfMember: await countLoose(tx, uploadedBy),
    evidenceOfMemberDaily: await countLately(tx, uploadedBy),
    evidenceDaily: await countLately(tx, null),
  };
  const reached = (Object.keys(counts) as (keyof typeof counts)[]).find(
    (quota) => counts[quota] >= quotas[quota],
  );
  if (reached) throw quotaReached(reached);
}

/** Returns a file as it is stored: a picture re-encoded, a PDF as it is. */
async function toStored(
  bytes: Buffer,
  lane: string,
): Promise<Pick<NewEvidence, 'type' | 'content' | 'sha256'>> {
  const about = { field: 'file', fault: 'validation.evidenceFile' } as const;
  const type = bytes.length > evidenceLimits.bytes ? undefined : evidenceTypeOf(bytes);
  if (!type) throw fieldRefusal(about.field, about.fault);
  if (type === 'application/pdf')
    return { type, content: bytes, sha256: createHash('sha256').update(bytes).digest() };
  const { bytes: content, ...image } = await toStoredImage({ type, bytes }, lane, about);
  return { ...image, content };
}
