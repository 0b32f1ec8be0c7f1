import { type ContactKind, type ContactWay, contactValues } from '@hengfu/contract/contact';
import type { Language } from '@hengfu/contract/languages';
import type { Database, Tx } from '#db/database.ts';
import { fieldsOfActor, ofService, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import {
  type ContactWithNotes,
  deleteContactWay,
  findContactWay,
  listContactWays,
  saveContactWay,
} from './contact.sql.ts';

/** Manages how merchants reach the support team. Every change is audited. */
export class ContactService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists all contacts with their notes in every language. */
  list(): Promise<ContactWithNotes[]> {
    return this.#database.asSystem((tx) => listContactWays(tx), { oneStatement: true });
  }

  /** Lists all contacts with their notes in one language, or else in English. */
  async listFor(language: Language): Promise<ContactWay[]> {
    const ways = await this.list();
    return ways.map(({ kind, value, notes }) => ({
      kind,
      value,
      note: notes[language] ?? notes.en ?? null,
    }));
  }

  /**
   * Adds a contact, or replaces the notes of an existing one. Throws `validation_failed` if the value does
   * not fit its kind.
   */
  async set(way: ContactWithNotes, by: ServiceActor): Promise<void> {
    if (!contactValues[way.kind].safeParse(way.value).success) throw new Refusal('validation_failed');
    await this.#database.asSystem((tx) => setContact(tx, way, by));
  }

  /** Removes a contact. Throws `not_found`. */
  async remove(kind: ContactKind, value: string, by: ServiceActor): Promise<void> {
    await this.#database.asSystem((tx) => removeContact(tx, kind, value, by));
  }
}

/** Adds a contact, or replaces the notes of an existing one. */
export async function setContact(tx: Tx, way: ContactWithNotes, by: ServiceActor): Promise<void> {
  const before = await findContactWay(tx, way.kind, way.value);
  await saveContactWay(tx, way);
  await writeAudit(tx, {
    merchantId: null,
    ...fieldsOfActor(by),
    action: 'contact.set',
    subject: way.kind,
    ...(before && { before }),
    after: way,
  });
  tx.changed(ofService, 'service');
}

/** Removes a contact. Throws `not_found`. */
export async function removeContact(
  tx: Tx,
  kind: ContactKind,
  value: string,
  by: ServiceActor,
): Promise<void> {
  const before = await findContactWay(tx, kind, value);
  if (!before || !(await deleteContactWay(tx, kind, value))) throw new Refusal('not_found');
  await writeAudit(tx, {
    merchantId: null,
    ...fieldsOfActor(by),
    action: 'contact.remove',
    subject: kind,
    before,
  });
  tx.changed(ofService, 'service');
}
