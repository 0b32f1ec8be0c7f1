import { type EvidenceType, evidenceLimits } from '@hengfu/contract/staff/evidence';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** A file, as it is stored. */
export interface NewEvidence {
  /** The payout. */
  subject: string;
  /** `staff:<id>` or `operator:<name>`. */
  uploadedBy: string;
  name: string;
  type: EvidenceType;
  content: Buffer;
  sha256: Buffer;
}

/** The facts of a file, without its content. */
export interface Evidence {
  id: bigint;
  name: string;
  type: EvidenceType;
  bytes: number;
  sha256: Buffer;
  requestId: bigint | null;
  createdAt: Date;
}

/** The owner of files that nobody has asked with yet. */
type Loose = Pick<NewEvidence, 'subject' | 'uploadedBy'>;

/** Stores a file. */
export async function insertEvidence(tx: Tx, { uploadedBy, ...file }: NewEvidence): Promise<Evidence> {
  const row = await tx.query
    .insertInto('staff_evidence')
    .values({ ...file, uploaded_by: uploadedBy })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow();
  const { name, type, content, sha256 } = file;
  return {
    id: row.id,
    name,
    type,
    bytes: content.length,
    sha256,
    requestId: null,
    createdAt: row.created_at,
  };
}

/** Counts the files of a person that nobody has asked with. */
export async function countLoose(tx: Tx, uploadedBy: string): Promise<number> {
  const { count } = await tx.query
    .selectFrom('staff_evidence')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('uploaded_by', '=', uploadedBy)
    .where('kept_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Counts the files of the last 24 hours: those of a person, of operators together, or of everybody. */
export async function countLately(tx: Tx, uploadedBy: string | null): Promise<number> {
  const by = uploadedBy?.startsWith('operator:') ? 'operator:%' : uploadedBy;
  const { count } = await tx.query
    .selectFrom('staff_evidence')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('created_at', '>', sql<Date>`now() - interval '24 hours'`)
    .$if(by !== null, (query) => query.where('uploaded_by', 'like', by))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Lists the latest files that somebody has asked with about a payout, oldest first. */
export async function listKept(tx: Tx, subject: string): Promise<Evidence[]> {
  const latest = await facts(tx)
    .where('subject', '=', subject)
    .where('kept_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(evidenceLimits.listed)
    .execute();
  return latest.reverse();
}

/** Reads the facts of files of one owner that nobody has asked with, in the order of their IDs. */
export function findLoose(
  tx: Tx,
  { subject, uploadedBy }: Loose,
  ids: readonly bigint[],
): Promise<Evidence[]> {
  return facts(tx)
    .where('id', 'in', ids)
    .where('subject', '=', subject)
    .where('uploaded_by', '=', uploadedBy)
    .where('kept_at', 'is', null)
    .orderBy('id')
    .execute();
}

function facts(tx: Tx) {
  return tx.query
    .selectFrom('staff_evidence')
    .select(['id', 'name', 'type', 'sha256', 'request_id as requestId', 'created_at as createdAt'])
    .select(sql<number>`octet_length(content)`.as('bytes'));
}

/** Reads a file that somebody has asked with. */
export function readKept(
  tx: Tx,
  { subject, id }: { subject: string; id: bigint },
): Promise<Pick<NewEvidence, 'name' | 'type' | 'content'> | undefined> {
  return tx.query
    .selectFrom('staff_evidence')
    .select(['name', 'type', 'content'])
    .where('id', '=', id)
    .where('subject', '=', subject)
    .where('kept_at', 'is not', null)
    .executeTakeFirst();
}

/** Keeps files of one owner for good: with a request, or with what an operator does at once. Returns how many there were. */
export async function keepEvidence(
  tx: Tx,
  { subject, uploadedBy }: Loose,
  { ids, requestId }: { ids: readonly bigint[]; requestId: bigint | null },
): Promise<number> {
  const { numUpdatedRows } = await tx.query
    .updateTable('staff_evidence')
    .set({ request_id: requestId, kept_at: sql<Date>`now()` })
    .where('id', 'in', ids)
    .where('subject', '=', subject)
    .where('uploaded_by', '=', uploadedBy)
    .where('kept_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes the files that nobody has asked with within a day. */
export async function sweepLoose(tx: Tx): Promise<void> {
  await tx.query
    .deleteFrom('staff_evidence')
    .where('kept_at', 'is', null)
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
}
