import type { Language } from '@hengfu/contract/languages';
import type { Database } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { type Announced, dismissAnnouncement, readAnnounced } from './announcements.sql.ts';

/** Shows people of merchants what the service announces. */
export class AnnouncementReading {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list({ home, userId }: Person, language: Language): Promise<Announced> {
    return this.#database.asMerchant(home.merchantId, (tx) => readAnnounced(tx, userId, language), {
      oneStatement: true,
    });
  }

  /** Dismisses an announcement for a person. Throws `not_found`, also for one that is not for the person's merchant. */
  async dismiss({ home, userId }: Person, id: bigint, changedAt?: string): Promise<void> {
    const isThere = await this.#database.asMerchant(home.merchantId, (tx) =>
      dismissAnnouncement(tx, { userId, id, changedAt }),
    );
    if (!isThere) throw new Refusal('not_found');
  }
}
