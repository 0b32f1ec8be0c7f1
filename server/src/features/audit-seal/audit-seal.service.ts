import type { Database } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { readLastRoot, readRoot } from './audit-seal.sql.ts';
import { proveRoot } from './last-root.ts';
import type { Outside } from './outside.ts';
import { type AcceptedLoss, type Root, SealError } from './root.rules.ts';
import type { SealVerifier, Verification } from './seal-verifier.ts';
import type { Sealer, Sealing } from './sealer.ts';
import { standingOf } from './standing.rules.ts';

const task = 'audit.seal';
/** With the wait of the queue, rows are sealed within ten seconds. */
export const sealRecurring: readonly Recurring[] = [{ task, everySeconds: 4 }];

interface AuditSealOptions {
  database: Database;
  outside: Outside;
  sealer: Sealer;
  verifier: SealVerifier;
}

/** Rows are sealed within ten seconds, and the clocks of processes and database may differ. */
const maxRestoreGapMs = 10 * 60_000;

/** Seals the audit trail, and proves that it is what was sealed. */
export class AuditSealService {
  readonly #options: AuditSealOptions;

  constructor(options: AuditSealOptions) {
    this.#options = options;
  }

  readonly tasks: Record<string, Task> = { [task]: async () => void (await this.seal()) };

  /** Seals what was committed before the call. */
  seal(): Promise<Sealing> {
    return this.#options.sealer.seal();
  }

  /** Reads the whole audit trail, and compares it with its seals. */
  verify(): Promise<Verification> {
    return this.#options.verifier.verify();
  }

  /**
   * Accepts that the database lacks the newest root outside, because it was restored to an earlier moment or failed over, so that
   * sealing continues. Returns undefined if nothing is missing, and the same loss again if it was accepted before.
   *
   * Throws {@link SealError} if the last root in the database was altered, or is clearly older than `restoredTo`: then the restore
   * does not explain what is missing.
   */
  async accept(actor: string, reason: string, restoredTo?: Date): Promise<AcceptedLoss | undefined> {
    const { database, outside } = this.#options;
    const newest = await outside.newest();
    const { found: losses } = await outside.losses();
    const { last, known } = await database.asSystem(async (tx) => {
      const last = await readLastRoot(tx);
      if (last) await proveRoot(tx, last, outside);
      return { last, known: newest && (await readRoot(tx, newest.number)) };
    });
    const standing = standingOf({ last, newest, known, losses });
    if (standing.state === 'accepted') return standing.loss;
    if (!newest || standing.state === 'level' || standing.state === 'behind') return undefined;
    if (restoredTo) refuseEarlier(last, restoredTo);
    const loss: AcceptedLoss = {
      lost: String(newest.number),
      lostSha256: newest.sha256,
      kept: String(last?.number ?? 0n),
      keptSha256: last?.sha256.toString('hex') ?? '',
      at: new Date().toISOString(),
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

  /** Renews the HMACs of accepted losses with APP_KEY, before APP_KEY_PREVIOUS is gone. */
  renewLosses(): Promise<{ renewed: number; faults: string[] }> {
    return this.#options.outside.renewLosses();
  }
}

/** Throws if a restore to a moment should have brought back later roots than the last one. */
function refuseEarlier(last: Root | undefined, restoredTo: Date): void {
  const lastAt = last?.sealedAt;
  if (lastAt && restoredTo.getTime() - lastAt.getTime() <= maxRestoreGapMs) return;
  const found = lastAt ? `its last root is of ${lastAt.toISOString()}` : 'it has no root';
  throw new SealError(
    `The database was restored to ${restoredTo.toISOString()}, but ${found}: later ones may have been removed. If nothing was recorded ` +
      'between the two, say so with “audit accept”.',
  );
}
