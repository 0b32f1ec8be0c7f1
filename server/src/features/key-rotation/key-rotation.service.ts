import type { Database } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import type { Secrets } from '#security/secrets.ts';
import { lockSealed, type SealedColumn, sealedColumns, writeSealed } from './key-rotation.sql.ts';

/** Of one transaction: people and shops wait for no more than these. */
const rowsAtOnce = 200;

/** What became of everything that is encrypted under the application's key. */
export interface RotationOutcome {
  sealedAnew: number;
  /** Under the present key before. */
  asTheyWere: number;
  /** Under neither key: `table.column key`. */
  unreadable: string[];
}

/**
 * Encrypts anew, under the present key, what was encrypted under the other one, while the product runs: some rows at a
 * time. What it has done stays done where it is ended; run again, it goes on with what is left.
 */
export class KeyRotation {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #actor: string;

  constructor(database: Database, secrets: Secrets, actor: string) {
    this.#database = database;
    this.#secrets = secrets;
    this.#actor = actor;
  }

  async rotate(): Promise<RotationOutcome> {
    const outcome: RotationOutcome = { sealedAnew: 0, asTheyWere: 0, unreadable: [] };
    for (const column of sealedColumns) {
      let after: string | undefined;
      do after = await this.#rotateSome(column, after, outcome);
      while (after !== undefined);
    }
    return outcome;
  }

  /** Returns the key of the last row that was looked at; undefined once there are no more. */
  async #rotateSome(
    column: SealedColumn,
    after: string | undefined,
    outcome: RotationOutcome,
  ): Promise<string | undefined> {
    const name = `${column.table}.${column.column}`;
    const { rows, made, unreadable } = await this.#database.asSystem(async (tx) => {
      const rows = await lockSealed(tx, column, after, rowsAtOnce);
      const unreadable: string[] = [];
      const made = rows.flatMap(({ key, sealed }) => {
        try {
          const anew = this.#secrets.reencrypt(sealed);
          return anew ? [{ key, sealed: anew }] : [];
        } catch {
          unreadable.push(`${name} ${key}`);
          return [];
        }
      });
      if (made.length > 0) {
        await writeSealed(tx, column, made);
        await writeAudit(tx, {
          merchantId: null,
          actor: this.#actor,
          action: 'key.rotate',
          subject: name,
          after: { rows: made.length, from: made[0]?.key, to: made.at(-1)?.key },
        });
      }
      return { rows, made, unreadable };
    });
    outcome.sealedAnew += made.length;
    outcome.asTheyWere += rows.length - made.length - unreadable.length;
    outcome.unreadable.push(...unreadable);
    return rows.at(-1)?.key;
  }
}
