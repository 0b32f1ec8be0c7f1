import { countedJobs, type JobQueue } from '@hengfu/contract/staff/health';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

const shownProofs = 10;
const merchantQueues = ['channels', 'callbacks', 'batches', 'exports'] as const satisfies readonly JobQueue[];

/** The jobs of one queue, each count up to {@link countedJobs}. */
export interface QueueState {
  queue: JobQueue;
  waiting: number;
  running: number;
  failed: number;
  oldestSeconds: number | null;
}

/** Counts the jobs of each queue. */
export async function readQueues(tx: Tx): Promise<QueueState[]> {
  const { rows } = await sql<QueueState>`
    select q.queue,
      (select count(*)::integer from (select from staff_merchant_job j
        where j.line = q.queue and not j.is_running and j.due_at <= now() limit ${countedJobs}) w) as waiting,
      (select count(*)::integer from (select from staff_merchant_job j
        where j.line = q.queue and j.is_running limit ${countedJobs}) r) as running,
      (select count(*)::integer from (select from staff_merchant_job j
        where j.line = q.queue and j.has_failed limit ${countedJobs}) f) as failed,
      (select extract(epoch from now() - min(j.due_at)) from staff_merchant_job j
        where j.line = q.queue and not j.is_running and j.due_at <= now())::double precision as "oldestSeconds"
    from unnest(${[...merchantQueues]}::text[]) with ordinality as q (queue, place)
    union all
    select 'own', waiting, running, failed, oldest_seconds from staff_own_jobs(${countedJobs})`.execute(
    tx.query,
  );
  return rows;
}

/** A proof of the ledger. */
export interface ProofState {
  begunAt: Date;
  endedAt: Date;
  violations: number;
}

/** Lists the latest proofs of the ledger, newest first. */
export function readProofs(tx: Tx): Promise<ProofState[]> {
  return tx.query
    .selectFrom('ledger_proof')
    .select(['begun_at as begunAt', 'ended_at as endedAt', 'violation_count as violations'])
    .orderBy('id', 'desc')
    .limit(shownProofs)
    .execute();
}

/** The newest seal of the audit trail, and for how many seconds the oldest entry has waited for one. */
export interface SealState {
  number: bigint | null;
  sealedAt: Date | null;
  unsealedSeconds: number;
}

export async function readSeal(tx: Tx): Promise<SealState> {
  const { rows } = await sql<SealState>`
    select r.number, r.sealed_at as "sealedAt",
      greatest((select coalesce(extract(epoch from clock_timestamp() - min(at)), 0) from staff_audit
        where id > coalesce(r.to_id, 0)), 0)::double precision as "unsealedSeconds"
    from (select) one left join (select number, sealed_at, to_id from audit_root order by number desc limit 1) r on true`.execute(
    tx.query,
  );
  return rows[0] ?? { number: null, sealedAt: null, unsealedSeconds: 0 };
}

/** The backups that the database knows of: the newest by command, and how PostgreSQL's own archiving of WAL is doing. */
export interface BackupState {
  lastBackupAt: Date | null;
  lastWalAt: Date | null;
  walFailures: number | null;
}

export async function readBackups(tx: Tx): Promise<BackupState> {
  const { rows } = await sql<BackupState>`
    select (select max(made_at) from backup_record) as "lastBackupAt", w.last_archived_time as "lastWalAt",
      w.failed_count::integer as "walFailures"
    from (select) one left join pg_stat_archiver w on current_setting('archive_mode') <> 'off'`.execute(
    tx.query,
  );
  return rows[0] ?? { lastBackupAt: null, lastWalAt: null, walFailures: null };
}
