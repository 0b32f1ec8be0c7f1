import type { Readable } from 'node:stream';
import { channelCatalogue } from '@hengfu/contract/channels';
import type { StatementFormat } from '@hengfu/contract/staff/statement-days';
import type { Database, Tx } from '#db/database.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { findMapping } from '../mappings.sql.ts';
import { UnreadableStatement } from '../parse/line-fields.rules.ts';
import { type Actor, auditChange, subjectOf } from '../reconciliation-audit.ts';
import {
  type DayKey,
  deleteStatement,
  findSameFile,
  findStatement,
  insertStatement,
  isLoading,
  lockCreation,
  type NewStatement,
  whyNoStatement,
} from '../statements.sql.ts';
import type { SpooledFile, StatementSpool } from './spool.ts';
import type { StatementLoader } from './statement-loader.ts';

/** Receives the statements of channels. */
export class StatementUploads {
  readonly #database: Database;
  readonly #loader: StatementLoader;
  readonly #spool: StatementSpool;

  constructor(database: Database, loader: StatementLoader, spool: StatementSpool) {
    this.#database = database;
    this.#loader = loader;
    this.#spool = spool;
  }

  /**
   * Receives the statement of a day, then loads and matches it in the background. Throws `statement_exists`, `statement_repeated` if
   * the file was uploaded before, `statement_loading`, `mapping_missing`, `payload_too_large`, `unavailable` if the disk is nearly full, and
   * `validation_failed`.
   */
  async upload(
    key: DayKey,
    { format, name, body }: { format: StatementFormat; name: string; body: Readable },
    by: Actor,
  ): Promise<void> {
    const of = { ...key, format, fileName: name, uploadedBy: by.member.staffId };
    // Before anything is received: most refusals are known already.
    await this.#database.asSystem((tx) => this.#prepare(tx, of));
    const file = await this.#receive(key.channel, body);
    try {
      const { id, statement, csv } = await this.#database.asSystem(async (tx) => {
        await lockCreation(tx);
        const mapping = await this.#prepare(tx, of);
        const same = await findSameFile(tx, file.hash);
        if (same) throw new Refusal('statement_repeated', { values: { day: same.day } });
        const failed = await findStatement(tx, key, { isLocked: true });
        if (failed) await deleteStatement(tx, failed.id);
        const { zone, dayEnds } = mapping;
        const { currency } = channelCatalogue[key.channel];
        const statement: NewStatement = { ...of, currency, zone, dayEnds, fileHash: file.hash };
        const id = await insertStatement(tx, statement);
        const after = { format, name, sha256: file.hash.toString('hex') };
        await auditChange(tx, by, 'reconciliation.upload', subjectOf(key), { after });
        return { id, statement, csv: mapping.csv };
      });
      void this.#loader.load(id, statement, csv, file);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Returns the mapping of a channel, if a day of it may have a statement now; throws a Refusal otherwise. */
  async #prepare(tx: Tx, { channel, day, format }: DayKey & { format: StatementFormat }) {
    const mapping = await findMapping(tx, channel);
    if (!mapping || (format === 'csv' && mapping.csv === null)) throw new Refusal('mapping_missing');
    const reason = await whyNoStatement(tx, { day, ...mapping });
    if (reason === 'ahead') throw fieldRefusal('day', 'officeReconciliation.dayAhead');
    if (reason === 'archived') throw fieldRefusal('day', 'officeReconciliation.dayArchived');
    const present = await findStatement(tx, { channel, day });
    if (present && present.state !== 'failed' && present.state !== 'loading')
      throw new Refusal('statement_exists');
    if (await isLoading(tx, channel)) throw new Refusal('statement_loading');
    return mapping;
  }

  async #receive(channel: string, body: Readable): Promise<SpooledFile> {
    try {
      return await this.#spool.receive(channel, body);
    } catch (error) {
      if (!(error instanceof UnreadableStatement)) throw error;
      if (error.fault === 'tooLarge') throw new Refusal('payload_too_large');
      throw fieldRefusal('file', 'officeReconciliation.failedText', {
        fault: `officeReconciliation.fault.${error.fault}`,
      });
    }
  }
}
