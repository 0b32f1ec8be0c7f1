import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant } from '../lists.ts';

/** Above this many jobs, a queue is not counted any further. */
export const countedJobs = 10_000;

/** The queues of jobs: those that merchants share fairly, and the installation's own. */
export const jobQueues = ['channels', 'callbacks', 'batches', 'exports', 'own'] as const;
export type JobQueue = (typeof jobQueues)[number];

const seconds = z.number().nonnegative();

/** The figures that commands and alerts are based on, as of one moment. */
export const serviceHealth = z.object({
  at: instant,
  queues: z.array(
    z.object({
      queue: z.enum(jobQueues),
      /** Due jobs, at most {@link countedJobs}. */
      waiting: z.number().int(),
      running: z.number().int(),
      /** Jobs whose last attempt failed, at most {@link countedJobs}. */
      failed: z.number().int(),
      /** How long the oldest due job has waited; null if none is due. */
      oldestSeconds: seconds.nullable(),
    }),
  ),
  /** The latest proofs of the ledger, newest first. */
  proofs: z.array(z.object({ begunAt: instant, endedAt: instant, violations: z.number().int() })),
  /** The newest seal of the audit trail, and how long the oldest entry has waited for one. */
  seal: z.object({ number: z.string().nullable(), sealedAt: instant.nullable(), unsealedSeconds: seconds }),
  /** Each is null where it is not known: not made, or made elsewhere. */
  backups: z.object({
    /** The newest backup by command. */
    lastBackupAt: instant.nullable(),
    /** The newest base backup of the WAL archive, if this process makes them. */
    lastBaseAt: instant.nullable(),
    waitingSegments: z.number().int().nullable(),
    /** When PostgreSQL archived a WAL segment last, and its failed attempts. */
    lastWalAt: instant.nullable(),
    walFailures: z.number().int().nullable(),
  }),
});
export type ServiceHealth = z.output<typeof serviceHealth>;

export const healthEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/staff/service-health',
    summary: 'Returns the state of job queues, ledger proofs, seals of the audit trail, and backups.',
    access: 'staff',
    staffPerm: 'health.read',
    status: 200,
    reply: z.object({ data: serviceHealth }),
    errors: [],
  }),
};
