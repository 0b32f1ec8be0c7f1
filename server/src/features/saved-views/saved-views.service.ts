import { maxViews, type SavedView } from '@hengfu/contract/saved-views';
import type { Database } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { deleteView, listViews, saveView } from './saved-views.sql.ts';

/** Manages a person's own saved views. */
export class SavedViewService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list({ home, userId }: Person) {
    return this.#database.asMerchant(home.merchantId, (tx) => listViews(tx, userId), { oneStatement: true });
  }

  /** Throws `validation_failed` if the person has the maximum number of views. */
  async save({ home, userId }: Person, view: Omit<SavedView, 'id'>) {
    const saved = await this.#database.asMerchant(home.merchantId, (tx) => saveView(tx, userId, view));
    if (!saved) throw fieldRefusal('name', 'validation.tooManyViews', { count: maxViews });
    return saved;
  }

  /** Throws `not_found`. */
  async remove({ home, userId }: Person, id: bigint): Promise<void> {
    const isDeleted = await this.#database.asMerchant(home.merchantId, (tx) => deleteView(tx, userId, id));
    if (!isDeleted) throw new Refusal('not_found');
  }
}
