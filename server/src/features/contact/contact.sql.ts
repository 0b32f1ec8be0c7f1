import type { ContactKind } from '@hengfu/contract/contact';
import type { Language } from '@hengfu/contract/session';
import type { Tx } from '#db/database.ts';

/** A way to reach the support team, with the operator's words in every language they were given in. */
export interface ContactWaySet {
  kind: ContactKind;
  value: string;
  notes: Partial<Record<Language, string>>;
}

/** Every way, the one that was set first first. */
export async function listContactWays(tx: Tx): Promise<ContactWaySet[]> {
  const rows = await tx.query.selectFrom('contact_way').selectAll().orderBy('id').execute();
  return rows.map(({ kind, value, note_en, note_zh_cn, note_vi }) => ({
    kind,
    value,
    notes: {
      ...(note_en && { en: note_en }),
      ...(note_zh_cn && { 'zh-cn': note_zh_cn }),
      ...(note_vi && { vi: note_vi }),
    },
  }));
}

/** Adds a way, or gives the one that is there other notes. */
export async function saveContactWay(tx: Tx, { kind, value, notes }: ContactWaySet): Promise<void> {
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

/** Takes a way away; false where there is none. */
export async function deleteContactWay(tx: Tx, kind: ContactKind, value: string): Promise<boolean> {
  const result = await tx.query
    .deleteFrom('contact_way')
    .where('kind', '=', kind)
    .where('value', '=', value)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
