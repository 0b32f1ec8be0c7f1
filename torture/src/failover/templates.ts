import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files that operators deploy. */
const haFolder = join(import.meta.dirname, '../../../deploy/ha');

/** Fills in a file of `deploy/ha`, as `envsubst` does. Throws if it names a value that is not given. */
export async function filled(file: string, values: Readonly<Record<string, string>>): Promise<string> {
  const text = await readFile(join(haFolder, file), 'utf8');
  return text.replaceAll(/\$\{(HA_\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${file} needs ${name}`);
    return value;
  });
}
