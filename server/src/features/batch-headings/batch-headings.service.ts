import type { BatchHeading, SaveHeading } from '@hengfu/contract/batch-headings';
import type { Database } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Home, Person, RequestInfo } from '#domain/caller.ts';
import { deleteHeading, findHeading, listHeadings, saveHeading } from './batch-headings.sql.ts';

/** Remembers which column of batch payouts a heading of a merchant's own files stands for. */
export class BatchHeadingService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list({ merchantId }: Home): Promise<BatchHeading[]> {
    return this.#database.asMerchant(merchantId, (tx) => listHeadings(tx), { oneStatement: true });
  }

  /** Remembers a heading's field, or forgets the heading. Audited, because it affects colleagues' files. */
  async save(person: Person, request: RequestInfo, { heading, field }: SaveHeading): Promise<void> {
    await this.#database.asMerchant(person.home.merchantId, async (tx) => {
      const before = await findHeading(tx, heading);
      if (before === (field ?? undefined)) return;
      if (field === null) await deleteHeading(tx, heading);
      else await saveHeading(tx, { heading, field });
      await auditPerson(tx, person, request, 'payout-batch.heading', {
        subject: heading,
        before: { field: before ?? null },
        after: { field },
      });
    });
  }
}
