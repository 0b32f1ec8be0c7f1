import { permOfKind, searchKinds } from '@hengfu/contract/search';
import type { Database } from '#db/database.ts';
import { holds, type Person } from '#domain/caller.ts';
import { findHits, type Hit } from './search.sql.ts';

/** Finds orders and batches by numbers, references, payees and accounts. */
export class SearchService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Searches what the person may read: exact matches first, then the newest. */
  async find(person: Person, text: string): Promise<Hit[]> {
    const kinds = searchKinds.filter((kind) => holds(person, permOfKind[kind]));
    if (kinds.length === 0) return [];
    return this.#database.asMerchant(person.home.merchantId, (tx) => findHits(tx, kinds, text), {
      oneStatement: true,
    });
  }
}
