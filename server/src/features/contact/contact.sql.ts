import type { ContactKind } from '@hengfu/contract/contact';
import type { Language } from '@hengfu/contract/languages';
import type { Selectable } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { ContactTables } from '#db/tables/contact.ts';

/** A way to reach the support team, with the operator's notes by language. */
export interface ContactWithNotes {
  kind: ContactKind;
  value: string;
  notes: Partial<Record<Language, string>>;
}

/** Lists all contacts in the order in which they were added. */
export async function listContactWays(tx: Tx): Promise<ContactWithNotes[]> {
  const rows = await tx.query.selectFrom('contact_way').selectAll().orderBy('id').execute();
  return rows.map(toContact);
}

/** Finds one contact. */
export async function findContactWay(
  tx: Tx,
  kind: ContactKind,
  value: string,
): Promise<ContactWithNotes | undefined> {
  const row = await tx.query
    .selectFrom('contact_way')
    .selectAll()
    .where('kind', '=', kind)
    .where('value', '=', value)
    .executeTakeFirst();
  return row && toContact(row);
}

function toContact({
  kind,
  value,
  note_en,
  note_zh_cn,
  note_vi,
}: Selectable<ContactTables['contact_way']>): ContactWithNotes {
  return {
    kind,
    value,
    notes: {
      ...(note_en && { en: note_en }),
      ...(note_zh_cn && { 'zh-cn': note_zh_cn }),
      ...(note_vi && { vi: note_vi }),
    },
  };
}

/** Adds a contact, or replaces the notes of an existing one. */
export async function saveContactWay(tx: Tx, { kind, value, notes }: ContactWithNotes): Promise<void> {
  const note = {
    note_en: notes.en ?? null,
    note_zh_cn: notes['zh-cn'] ?? null,
    note_vi: notes.vi ?? null,
  };
  await tx.query
    .insertInto('contact_way')
    .values({ kind, value, ...note })
    .onConflict((conflict) => conflict.columns(['kind', 'value']).doUpdateSet(note))
    .execute();
}

/** Deletes a contact. Returns false if there is none. */
export async function deleteContactWay(tx: Tx, kind: ContactKind, value: string): Promise<boolean> {
  const result = await tx.query
    .deleteFrom('contact_way')
    .where('kind', '=', kind)
    .where('value', '=', value)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
