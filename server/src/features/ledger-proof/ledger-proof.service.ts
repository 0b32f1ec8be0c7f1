import type { Database } from '#db/database.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { violations } from '#ledger/ledger.ts';
import { insertProof, isProofDue, listProofs } from './ledger-proof.sql.ts';

const task = 'ledger.prove';
/** Asked for each hour, so that a night without a server is made up for; done once a day. */
export const proofRecurring: readonly Recurring[] = [{ task, everySeconds: 3600 }];
const keptExamples = 20;

/** A proof that was done. */
export type Proof = Awaited<ReturnType<typeof listProofs>>[number];

/** Proves ledger and rollups against the orders once a day, and keeps what was found. */
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

  /** Looks for violations now, and keeps what it found. Throws where there are any, so that the job is seen to fail. */
  async prove(): Promise<void> {
    const found = await this.#database.asSystem(async (tx) => {
      const all = await violations(tx);
      await insertProof(tx, { count: all.length, examples: all.slice(0, keptExamples) });
      return all;
    });
    const [first] = found;
    if (first) throw new Error(`${found.length} violations, the first: ${first.rule}: ${first.detail}`);
  }

  list(limit: number): Promise<Proof[]> {
    return this.#database.asSystem((tx) => listProofs(tx, limit));
  }
}
