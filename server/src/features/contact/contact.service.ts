import { type ContactKind, type ContactWay, contactValues } from '@hengfu/contract/contact';
import type { Language } from '@hengfu/contract/session';
import type { Database } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { type ContactWaySet, deleteContactWay, listContactWays, saveContactWay } from './contact.sql.ts';

/** How merchants reach the service's own staff. The operator sets it; every change leaves a trail. */
export class ContactService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Every way with its notes. */
  list(): Promise<ContactWaySet[]> {
    return this.#database.asSystem((tx) => listContactWays(tx), { oneStatement: true });
  }

  /** Every way as one reader sees it: notes in their language, else in English. */
  async listFor(language: Language): Promise<ContactWay[]> {
    const ways = await this.list();
    return ways.map(({ kind, value, notes }) => ({
      kind,
      value,
      note: notes[language] ?? notes.en ?? null,
    }));
  }

  /** Adds a way, or changes the notes of one that is there. Throws `validation_failed` where the value is not of its kind. */
  async set(way: ContactWaySet, actor: string): Promise<void> {
    if (!contactValues[way.kind].safeParse(way.value).success) throw new Refusal('validation_failed');
    await this.#database.asSystem(async (tx) => {
      await saveContactWay(tx, way);
      await writeAudit(tx, { merchantId: null, actor, action: 'contact.set', subject: way.kind, after: way });
    });
  }

  /** Throws `not_found`. */
  async remove(kind: ContactKind, value: string, actor: string): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      if (!(await deleteContactWay(tx, kind, value))) throw new Refusal('not_found');
      const before = { kind, value };
      await writeAudit(tx, { merchantId: null, actor, action: 'contact.remove', subject: kind, before });
    });
  }
}
