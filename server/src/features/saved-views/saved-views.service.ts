import { maxViews, type SavedView } from '@hengfu/contract/saved-views';
import type { Database } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { deleteView, listViews, saveView } from './saved-views.sql.ts';

/** A person's own views of lists. */
export class SavedViewService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list({ home, userId }: Person) {
    return this.#database.asMerchant(home.merchantId, (tx) => listViews(tx, userId), { oneStatement: true });
  }

  /** Throws `validation_failed` where there are as many views as may be. */
  async save({ home, userId }: Person, view: Omit<SavedView, 'id'>) {
    const kept = await this.#database.asMerchant(home.merchantId, (tx) => saveView(tx, userId, view));
    if (!kept) throw fieldRefusal('name', 'validation.tooManyViews', { count: maxViews });
    return kept;
  }

  /** Throws `not_found`. */
  async remove({ home, userId }: Person, id: bigint): Promise<void> {
    const isGone = await this.#database.asMerchant(home.merchantId, (tx) => deleteView(tx, userId, id));
    if (!isGone) throw new Refusal('not_found');
  }
}
