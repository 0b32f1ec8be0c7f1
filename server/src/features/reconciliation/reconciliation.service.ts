import type { AuditValues } from '@hengfu/contract/audit-fields';
import type { ChannelCode } from '@hengfu/contract/channels';
import type { StatementMapping } from '@hengfu/contract/staff/statement-mapping';
import type { Database, Tx } from '#db/database.ts';
import { Refusal } from '#domain/refusal.ts';
import { type ListedDay, listDays } from './days.sql.ts';
import {
  type DifferenceSums,
  decideDifference,
  findDifference,
  type ListedDifference,
  listDifferences,
  sumDifferences,
} from './differences.sql.ts';
import { type ListedLine, listLines } from './lines.sql.ts';
import { findMapping, saveMapping } from './mappings.sql.ts';
import { clearingOf, deleteDifferences, isAdjusted, isNeeded, matchDay } from './matching.sql.ts';
import { type Actor, auditChange, subjectOf } from './reconciliation-audit.ts';
import {
  closeStatement,
  type DayKey,
  deleteLines,
  deleteStatement,
  failStatement,
  findLeftovers,
  findPeople,
  findStatement,
  lockStatement,
  type Statement,
} from './statements.sql.ts';

export type { DayKey, ListedDay, ListedDifference, ListedLine, Statement };

/** A statement with the figures of its day. */
export interface Day extends DifferenceSums {
  statement: Statement;
  people: { uploadedBy: string; closedBy: string | null };
}

/** Reconciles the statements of channels with their clearing accounts, day by day. */
export class ReconciliationService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists the latest days of a channel, or of all of them. */
  days(channel: ChannelCode | undefined): Promise<ListedDay[]> {
    return this.#database.asSystem((tx) => listDays(tx, channel));
  }

  /** Returns a day with its figures. Throws `not_found` if it has no statement. */
  day(key: DayKey): Promise<Day> {
    return this.#database.asSystem(
      async (tx) => {
        const statement = await found(findStatement(tx, key));
        const people = await found(findPeople(tx, statement.id));
        return { statement, people, ...(await sumDifferences(tx, statement.id)) };
      },
      { snapshot: true },
    );
  }

  /** Lists differences of a day after an ID. Throws `not_found`. */
  differences(
    key: DayKey,
    part: Parameters<typeof listDifferences>[2],
  ): Promise<{ statement: Statement; list: ListedDifference[] }> {
    return this.#database.asSystem(async (tx) => {
      const statement = await found(findStatement(tx, key));
      return { statement, list: await listDifferences(tx, statement.id, part) };
    });
  }

  /** Lists lines of a statement after a line. Throws `not_found`. */
  lines(
    key: DayKey,
    part: Parameters<typeof listLines>[2],
  ): Promise<{ statement: Statement; list: ListedLine[] }> {
    return this.#database.asSystem(async (tx) => {
      const statement = await found(findStatement(tx, key));
      return { statement, list: await listLines(tx, statement.id, part) };
    });
  }

  /** Returns how the statements of a channel are read; undefined before it was saved. */
  mapping(channel: ChannelCode): Promise<StatementMapping | undefined> {
    return this.#database.asSystem((tx) => findMapping(tx, channel));
  }

  /** Saves how the statements of a channel are read. */
  async saveMapping(channel: ChannelCode, mapping: StatementMapping, by: Actor): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      const before = await findMapping(tx, channel);
      await saveMapping(tx, channel, mapping, by.member.staffId);
      await auditChange(tx, by, 'reconciliation.map', channel, { ...(before && { before }), after: mapping });
    });
  }

  /**
   * Removes the statement of a day that is not closed. Throws `statement_adjusted` if an adjustment was posted for it, and `statement_needed`
   * if a closed day depends on it.
   */
  async discard(key: DayKey, by: Actor): Promise<void> {
    await this.#change(key, by, 'reconciliation.discard', async (tx, statement) => {
      if (await isAdjusted(tx, statement)) throw new Refusal('statement_adjusted');
      if (await isNeeded(tx, statement)) throw new Refusal('statement_needed');
      await tx.disableTimeouts();
      await deleteDifferences(tx, statement);
      await deleteStatement(tx, statement.id);
      return { before: { state: statement.state, lines: statement.lineCount, file: statement.fileName } };
    });
  }

  /** Matches a day again. */
  async match(key: DayKey, by: Actor): Promise<void> {
    await this.#change(key, by, 'reconciliation.match', async (tx, statement) => {
      if (statement.state === 'failed') throw new Refusal('not_found');
      await tx.disableTimeouts();
      await matchDay(tx, statement);
      return { before: { clearingMinor: String(statement.clearingMinor) } };
    });
  }

  /**
   * Closes a day. Throws `day_running` before it is over, `differences_open`, and `clearing_moved` if the clearing accounts no longer
   * differ from the statement by exactly its differences.
   */
  async close(key: DayKey, by: Actor): Promise<void> {
    await this.#change(key, by, 'reconciliation.close', async (tx, statement) => {
      if (statement.state === 'failed') throw new Refusal('not_found');
      if (!statement.isOver) throw new Refusal('day_running');
      const { unresolved, foundMinor } = await sumDifferences(tx, statement.id);
      if (unresolved > 0) throw new Refusal('differences_open');
      await tx.disableTimeouts();
      const clearingMinor = await clearingOf(tx, statement);
      if (statement.creditMinor - statement.debitMinor - clearingMinor !== foundMinor)
        throw new Refusal('clearing_moved');
      await closeStatement(tx, statement.id, by.member.staffId);
      return { before: { state: 'open' }, after: { state: 'closed', clearingMinor: String(clearingMinor) } };
    });
  }

  /** Explains a difference, or marks it as waiting. Throws `invalid_transition` if it was adjusted. */
  async decide(
    id: bigint,
    { state, note }: { state: 'explained' | 'waiting'; note: string },
    by: Actor,
  ): Promise<{ statement: Statement; difference: ListedDifference }> {
    return this.#database.asSystem(async (tx) => {
      const { statementId } = await found(findDifference(tx, id));
      const statement = await found(lockStatement(tx, statementId));
      // Under the lock of its statement, which every matching takes.
      const before = await found(findDifference(tx, id));
      if (statement.state === 'closed') throw new Refusal('day_closed');
      if (before.state === 'adjusted')
        throw new Refusal('invalid_transition', {
          values: { status: 'officeReconciliation.decision.adjusted' },
        });
      await decideDifference(tx, id, { state, note, staffId: by.member.staffId });
      const difference = await found(findDifference(tx, id));
      const action = state === 'explained' ? 'reconciliation.explain' : 'reconciliation.wait';
      await auditChange(tx, by, action, subjectOf(statement), {
        before: facts(before),
        after: facts(difference),
      });
      return { statement, difference };
    });
  }

  /** Gives up loads that have died with their process, and removes lines that are no longer needed. */
  async sweep(): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      const { stale, old } = await findLeftovers(tx);
      if (stale !== null) await failStatement(tx, stale, { fault: 'interrupted', line: 0 });
      if (old !== null) await deleteLines(tx, old);
    });
  }

  /** Changes a statement that is neither being loaded nor closed, under its lock, and audits what `work` returns. */
  async #change(
    key: DayKey,
    by: Actor,
    action: Parameters<typeof auditChange>[2],
    work: (tx: Tx, statement: Statement) => Promise<{ before?: AuditValues; after?: AuditValues }>,
  ): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      const statement = await found(findStatement(tx, key, { isLocked: true }));
      if (statement.state === 'closed') throw new Refusal('day_closed');
      if (statement.state === 'loading') throw new Refusal('statement_loading');
      await auditChange(tx, by, action, subjectOf(key), await work(tx, statement));
    });
  }
}

async function found<T>(lookUp: Promise<T | undefined>): Promise<T> {
  const row = await lookUp;
  if (row === undefined) throw new Refusal('not_found');
  return row;
}

/** The facts of a difference for the audit trail. */
function facts({ kind, state, reference, lineNo, theirsMinor, oursMinor, note }: ListedDifference) {
  return { kind, state, reference, lineNo, theirsMinor: text(theirsMinor), oursMinor: text(oursMinor), note };
}

const text = (minor: bigint | null) => (minor === null ? null : String(minor));
