import { type ExportList, exportLists } from '@hengfu/contract/export-columns';
import { permOfList } from '@hengfu/contract/exports';
import { holds, type Person } from './caller.ts';

/** Returns the lists whose exports a person may see; undefined if that is every list. */
export function readableLists(person: Pick<Person, 'perms'>): ExportList[] | undefined {
  const readable = exportLists.filter((list) => holds(person, permOfList[list]));
  return readable.length === exportLists.length ? undefined : readable;
}
