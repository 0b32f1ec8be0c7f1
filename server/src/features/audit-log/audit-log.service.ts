import type { AuditQuery } from '@hengfu/contract/audit-log';
import type { EntryArchive } from '#archive/entry-archive.ts';
import type { Database } from '#db/database.ts';
import { Refusal } from '#domain/refusal.ts';
import type { AuditSqlRow } from './audit-log.sql.ts';
import { type AuditPage, findAnyAudit, listAudit } from './audit-pages.sql.ts';

const entryNumber = /^\d{1,18}$/;

/** Reads a merchant's audit log. */
export class AuditLogService {
  readonly #database: Database;
  readonly #archive: EntryArchive;

  constructor(database: Database, archive: EntryArchive) {
    this.#database = database;
    this.#archive = archive;
  }

  /**
   * Returns a page of what was done at a merchant. Throws `archive_unreadable`, and `too_many_requests` if too many reads of the
   * merchant's archive are waiting.
   */
  list(merchantId: bigint, query: AuditQuery): Promise<AuditPage> {
    return this.#archive.withParts(merchantId, (readParts) =>
      this.#database.asMerchant(merchantId, (tx) => listAudit(tx, query, readParts), { snapshot: true }),
    );
  }

  /** Returns one entry. Throws `not_found`, and as above. */
  async find(merchantId: bigint, entryNo: string): Promise<AuditSqlRow> {
    const found = entryNumber.test(entryNo)
      ? await this.#archive.withParts(merchantId, (readParts) =>
          this.#database.asMerchant(merchantId, (tx) => findAnyAudit(tx, BigInt(entryNo), readParts), {
            snapshot: true,
          }),
        )
      : undefined;
    if (!found) throw new Refusal('not_found');
    return found;
  }
}
