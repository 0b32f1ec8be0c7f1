import type { AuditQuery } from '@hengfu/contract/audit-log';
import type { Database } from '#db/database.ts';
import { Refusal } from '#domain/refusal.ts';
import { type AuditPage, type AuditSqlRow, findAudit, listAudit } from './audit-log.sql.ts';

const entryNumber = /^\d{1,18}$/;

/** Reads a merchant's audit log. */
export class AuditLogService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns a page of what was done at a merchant. */
  list(merchantId: bigint, query: AuditQuery): Promise<AuditPage> {
    return this.#database.asMerchant(merchantId, (tx) => listAudit(tx, query), { snapshot: true });
  }

  /** Returns one entry. Throws `not_found`. */
  async find(merchantId: bigint, entryNo: string): Promise<AuditSqlRow> {
    const found = entryNumber.test(entryNo)
      ? await this.#database.asMerchant(merchantId, (tx) => findAudit(tx, BigInt(entryNo)), {
          oneStatement: true,
        })
      : undefined;
    if (!found) throw new Refusal('not_found');
    return found;
  }
}
