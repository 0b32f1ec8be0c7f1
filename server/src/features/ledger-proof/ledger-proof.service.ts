import type { Database } from '#db/database.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { type Violation, violations } from '#ledger/ledger.ts';
import { insertProof, isProofDue, listProofs } from './ledger-proof.sql.ts';

const task = 'ledger.prove';
/** Runs once a day; scheduled hourly, so that a proof missed during downtime is made up for. */
export const proofRecurring: readonly Recurring[] = [{ task, everySeconds: 3600 }];
const maxExamples = 20;

/** A completed proof. */
export type Proof = Awaited<ReturnType<typeof listProofs>>[number];

/** Checks ledger and rollups against the orders once a day, and records the result. */
export class LedgerProof {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  readonly tasks: Record<string, Task> = {
    [task]: async () => {
      if (await this.#database.asSystem(isProofDue)) return this.prove();
      // The job is retried before the next proof, and must not count as mended meanwhile.
      const [last] = await this.list(1);
      if (last) assertNone(last.violationCount, last.examples);
    },
  };

  /** Looks for violations now and records them. Throws if there are any, so that the job counts as failed. */
  async prove(): Promise<void> {
    const found = await this.#database.asSystem(async (tx) => {
      const all = await violations(tx);
      await insertProof(tx, { count: all.length, examples: all.slice(0, maxExamples) });
      return all;
    });
    assertNone(found.length, found);
  }

  list(limit: number): Promise<Proof[]> {
    return this.#database.asSystem((tx) => listProofs(tx, limit));
  }
}

/** Throws an error that names the first violation, if there are any. */
function assertNone(count: number, [first]: readonly Violation[]): void {
  if (first) throw new Error(`${count} ledger violations, first: ${first.rule}: ${first.detail}`);
}
