import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const tableCopy = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.number().int(),
  /** Of the rows as text. */
  sha256: z.string(),
  file: z.string().regex(/^[a-z0-9_.]+$/),
});

const manifest = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  postgres: z.string(),
  /** Of the key under which its secrets can be read: nothing that would help to find it. */
  keyMark: z.string(),
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  jobMigrations: z.array(z.number().int()),
  tables: z.array(tableCopy),
  /** The last number that each gave out; those that gave none are left out. */
  sequences: z.array(z.object({ name: z.string(), last: z.string().regex(/^-?\d+$/) })),
});

/** What a backup holds: written last of all, so that a folder without it is none. */
export type Manifest = z.output<typeof manifest>;

/** One table of a backup. */
export type TableCopy = z.output<typeof tableCopy>;

const fileName = 'manifest.json';

/** Writes it, and is done when it is on the disk. */
export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const handle = await open(join(folder, fileName), 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(content, undefined, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads the manifest of a backup. Throws where the folder is none, or not a whole one. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, fileName), 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`${folder} is not a complete backup: it has no ${fileName}`);
  const parsed = manifest.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error(`${folder}: this version cannot read its ${fileName}`);
  return parsed.data;
}
