import type { Database } from '#db/database.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { violations } from '#ledger/ledger.ts';
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
      if (await this.#database.asSystem(isProofDue)) await this.prove();
    },
  };

  /** Looks for violations now and records them. Throws if there are any, so that the job counts as failed. */
  async prove(): Promise<void> {
    const found = await this.#database.asSystem(async (tx) => {
      const all = await violations(tx);
      await insertProof(tx, { count: all.length, examples: all.slice(0, maxExamples) });
      return all;
    });
    const [first] = found;
    if (first) throw new Error(`${found.length} ledger violations, first: ${first.rule}: ${first.detail}`);
  }

  list(limit: number): Promise<Proof[]> {
    return this.#database.asSystem((tx) => listProofs(tx, limit));
  }
}
