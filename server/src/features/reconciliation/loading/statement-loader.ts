import { statementLimits } from '@hengfu/contract/staff/statement-days';
import type { StatementMapping } from '@hengfu/contract/staff/statement-mapping';
import type { Database } from '#db/database.ts';
import { addLines } from '../lines.sql.ts';
import { matchDay } from '../matching.sql.ts';
import { type ParsedLine, type StatedBalances, UnreadableStatement } from '../parse/line-fields.rules.ts';
import { readCamt } from '../parse/read-camt.ts';
import { readCsv } from '../parse/read-csv.ts';
import { failStatement, lockStatement, type NewStatement } from '../statements.sql.ts';
import type { SpooledFile } from './spool.ts';

/** Lines per transaction. */
const portionSize = 2000;

/** Somebody removed the statement, or another process gave its load up. */
class NoLongerLoading extends Error {}

/** Loads the lines of statements in portions, and matches them. */
export class StatementLoader {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Loads a file into its statement and matches the day; marks the statement if it cannot be read. Never rejects. */
  async load(id: bigint, of: NewStatement, csv: StatementMapping['csv'], file: SpooledFile): Promise<void> {
    try {
      const stated = await this.#loadLines(id, read(of, csv, file));
      await this.#database.asSystem(async (tx) => {
        const statement = await lockStatement(tx, id);
        if (statement?.state !== 'loading') throw new NoLongerLoading();
        await tx.disableTimeouts();
        await matchDay(tx, statement, stated);
      });
    } catch (error) {
      await this.#fail(id, error).catch(this.#onError);
    } finally {
      await file.close().catch(this.#onError);
    }
  }

  async #loadLines(
    id: bigint,
    portions: AsyncGenerator<ParsedLine[], StatedBalances | undefined>,
  ): Promise<StatedBalances | undefined> {
    let waiting: ParsedLine[] = [];
    let count = 0;
    let adding: Promise<void> | undefined;
    const add = async (lines: ParsedLine[]) => {
      count += lines.length;
      if (count > statementLimits.lines) throw new UnreadableStatement('tooLarge');
      if (!(await this.#database.asSystem((tx) => addLines(tx, id, lines), { oneStatement: true })))
        throw new NoLongerLoading();
    };
    try {
      for (;;) {
        const next = await portions.next();
        if (!next.done) waiting = waiting.concat(next.value);
        if (waiting.length >= (next.done ? 1 : portionSize)) {
          await adding;
          // The database adds this portion while the next one is read.
          adding = add(waiting);
          adding.catch(() => undefined);
          waiting = [];
        }
        if (!next.done) continue;
        await adding;
        return next.value;
      }
    } finally {
      // Nothing may be added once the statement has failed, or has been matched.
      await adding?.catch(() => undefined);
      await portions.return(undefined);
    }
  }

  async #fail(id: bigint, error: unknown): Promise<void> {
    if (error instanceof NoLongerLoading) return;
    const isUnreadable = error instanceof UnreadableStatement;
    if (!isUnreadable) this.#onError(error);
    const fault = isUnreadable ? error : { fault: 'interrupted' as const, line: 0 };
    await this.#database.asSystem((tx) => failStatement(tx, id, fault));
  }
}

async function* read(
  { format, currency, day }: NewStatement,
  csv: StatementMapping['csv'],
  file: SpooledFile,
): AsyncGenerator<ParsedLine[], StatedBalances | undefined> {
  if (format === 'camt053') return yield* readCamt(file.chunks(), { currency, day });
  if (!csv) throw new UnreadableStatement('headings');
  yield* readCsv(file.chunks(), csv, currency);
  return undefined;
}
