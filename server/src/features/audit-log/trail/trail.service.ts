import type { TrailQuery } from '@hengfu/contract/staff/audit-trail';
import type { Database } from '#db/database.ts';
import { listTrail, type TrailSqlRow } from './trail.sql.ts';

export type { TrailSqlRow };

/** The audit trail of the service and of all merchants, for our staff. */
export class AuditTrail {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads a page, newest first, and one row more if there is one. */
  list(query: TrailQuery): Promise<TrailSqlRow[]> {
    return this.#database.asSystem((tx) => listTrail(tx, query), { snapshot: true });
  }
}
