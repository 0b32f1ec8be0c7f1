import type { Database } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { readClock, readLastRoot } from './audit-seal.sql.ts';
import type { Outside } from './outside.ts';
import type { AcceptedLoss } from './root.rules.ts';
import type { SealVerifier, Verification } from './seal-verifier.ts';
import type { Sealer } from './sealer.ts';

const task = 'audit.seal';
/** With the wait of the queue, rows are sealed within ten seconds. */
export const sealRecurring: readonly Recurring[] = [{ task, everySeconds: 4 }];

interface AuditSealOptions {
  database: Database;
  outside: Outside;
  sealer: Sealer;
  verifier: SealVerifier;
}

/** Seals the audit trail, and proves that it is what was sealed. */
export class AuditSealService {
  readonly #options: AuditSealOptions;

  constructor(options: AuditSealOptions) {
    this.#options = options;
  }

  readonly tasks: Record<string, Task> = { [task]: async () => void (await this.seal()) };

  /** Seals what was committed before the call. Returns the number of roots made. */
  seal(): Promise<number> {
    return this.#options.sealer.seal();
  }

  /** Reads the whole audit trail, and compares it with its seals. */
  verify(): Promise<Verification> {
    return this.#options.verifier.verify();
  }

  /**
   * Accepts that the database ends before the newest root outside, because it was restored to an earlier moment. Sealing goes on
   * from there. Returns undefined if nothing is missing.
   */
  async accept(actor: string, reason: string): Promise<AcceptedLoss | undefined> {
    const { database, outside } = this.#options;
    const [last, now] = await database.asSystem(
      async (tx) => [await readLastRoot(tx), await readClock(tx)] as const,
    );
    const newest = await outside.newest(now);
    if (!newest || newest.number <= (last?.number ?? 0n)) return undefined;
    const loss: AcceptedLoss = {
      lost: String(newest.number),
      lostSha256: newest.sha256,
      kept: String(last?.number ?? 0n),
      keptSha256: last?.sha256.toString('hex') ?? '',
      at: now.toISOString(),
      by: actor,
      reason,
    };
    await database.asSystem((tx) =>
      writeAudit(tx, {
        merchantId: null,
        actor,
        action: 'audit.accept_loss',
        subject: `root:${loss.lost}`,
        after: loss,
      }),
    );
    await outside.accept(loss);
    return loss;
  }
}
