import { permOfKind, searchKinds } from '@hengfu/contract/search';
import type { Snapshots } from '#db/snapshots.ts';
import { holds, type Person } from '#domain/caller.ts';
import { readableLists } from '#domain/readable-lists.ts';
import { findHits, type Hit } from './search.sql.ts';

/** Finds orders and batches by numbers, references, payees and accounts. */
export class SearchService {
  readonly #snapshots: Snapshots;

  constructor(snapshots: Snapshots) {
    this.#snapshots = snapshots;
  }

  /** Searches what the person may read: exact matches first, then the newest. */
  async find(person: Person, text: string): Promise<Hit[]> {
    const kinds = searchKinds.filter((kind) => holds(person, permOfKind[kind]));
    if (kinds.length === 0) return [];
    const lists = readableLists(person);
    return this.#snapshots.ofMerchant(person.home.merchantId, (tx) => findHits(tx, kinds, text, lists), {
      oneStatement: true,
      isUrgent: true,
    });
  }
}
