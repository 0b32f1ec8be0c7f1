import type { Database } from '#db/database.ts';
import { readBackups, readProofs, readQueues, readSeal } from './health.sql.ts';

/** How far the archiving of WAL has come. */
type Archiving = () => { waitingSegments: number; newestBaseAt: Date | undefined };

/** Reads the state of the service for our staff. */
export class HealthService {
  readonly #database: Database;
  readonly #archiving: Archiving | undefined;

  /** `archiving`: of the process that archives WAL; undefined in any other one. */
  constructor(database: Database, archiving: Archiving | undefined) {
    this.#database = database;
    this.#archiving = archiving;
  }

  /** Reads everything as of one moment. Counts stop at a limit, so that a long backlog does not make it slow. */
  async read() {
    const read = await this.#database.asSystem(
      async (tx) => ({
        queues: await readQueues(tx),
        proofs: await readProofs(tx),
        seal: await readSeal(tx),
        backups: await readBackups(tx),
      }),
      { snapshot: true },
    );
    return { ...read, archiving: this.#archiving?.() };
  }
}
