import type { Database } from '#db/database.ts';
import type { StaffMember } from '#domain/caller.ts';
import { type AccountRow, listUsedAccounts } from './accounts.sql.ts';
import { deleteExpiredParts } from './handovers.sql.ts';

/** Reads the accounts of our staff, for those who manage them. */
export class AccountList {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists the accounts, as one of our staff sees them. */
  list({ staffId }: StaffMember): Promise<AccountRow[]> {
    return this.#database.asSystem((tx) => listUsedAccounts(tx, staffId));
  }

  /** Deletes the parts of passwords that nobody has read in time. */
  async sweep(): Promise<void> {
    await this.#database.asSystem((tx) => deleteExpiredParts(tx));
  }
}
