import type { Database } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import type { Secrets } from '#security/secrets.ts';
import {
  lockSealed,
  type SealedColumn,
  sealedColumns,
  staffSealedColumns,
  writeSealed,
} from './key-rotation.sql.ts';

/** Rows per transaction, which limits how long users and merchants wait for a lock. */
const batchSize = 200;

/** Outcome for everything that is encrypted under the application's key. */
export interface RotationOutcome {
  /** Re-encrypted under the current key. */
  sealedAnew: number;
  /** Already under the current key. */
  asTheyWere: number;
  /** Readable with neither key: `table.column key`. */
  unreadable: string[];
}

/**
 * Re-encrypts values from the previous key to the current one, in small batches while the product runs. After
 * an interruption, another run continues with the remaining rows.
 */
export class KeyRotation {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #actor: string;
  readonly #staffDatabase: Database;

  /** `staffDatabase` works as `hengfu_staff`. */
  constructor(database: Database, staffDatabase: Database, secrets: Secrets, actor: string) {
    this.#database = database;
    this.#staffDatabase = staffDatabase;
    this.#secrets = secrets;
    this.#actor = actor;
  }

  async rotate(): Promise<RotationOutcome> {
    const outcome: RotationOutcome = { sealedAnew: 0, asTheyWere: 0, unreadable: [] };
    for (const column of sealedColumns) await this.#rotateColumn(this.#database, column, outcome);
    for (const column of staffSealedColumns) await this.#rotateColumn(this.#staffDatabase, column, outcome);
    return outcome;
  }

  async #rotateColumn(database: Database, column: SealedColumn, outcome: RotationOutcome): Promise<void> {
    let after: string | undefined;
    do after = await this.#rotateBatch(database, column, after, outcome);
    while (after !== undefined);
  }

  /** Re-encrypts one batch. Returns the primary key of its last row; undefined once there are no more. */
  async #rotateBatch(
    database: Database,
    column: SealedColumn,
    after: string | undefined,
    outcome: RotationOutcome,
  ): Promise<string | undefined> {
    const name = `${column.table}.${column.column}`;
    const { rows, changed, unreadable } = await database.asSystem(async (tx) => {
      const rows = await lockSealed(tx, column, after, batchSize);
      const unreadable: string[] = [];
      const changed = rows.flatMap(({ key, sealed }) => {
        try {
          const resealed = this.#secrets.reencrypt(sealed);
          return resealed ? [{ key, sealed: resealed }] : [];
        } catch {
          unreadable.push(`${name} ${key}`);
          return [];
        }
      });
      if (changed.length > 0) {
        await writeSealed(tx, column, changed);
        await writeAudit(tx, {
          merchantId: null,
          actor: this.#actor,
          action: 'key.rotate',
          subject: name,
          after: { rows: changed.length, from: changed[0]?.key, to: changed.at(-1)?.key },
        });
      }
      return { rows, changed, unreadable };
    });
    outcome.sealedAnew += changed.length;
    outcome.asTheyWere += rows.length - changed.length - unreadable.length;
    outcome.unreadable.push(...unreadable);
    return rows.at(-1)?.key;
  }
}
