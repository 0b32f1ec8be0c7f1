import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

/** Names become part of statements that the schema's owner runs, quoted where PostgreSQL needs it. */
const tableName = z.string().regex(/^"?\w+"?\."?\w+"?$/);
const columnName = z.string().regex(/^"?\w+"?$/);

const tableCopy = z.object({
  name: tableName,
  columns: z.array(columnName),
  rows: z.number().int(),
  /** SHA-256 of the rows as COPY text, before compression. */
  sha256: z.string(),
  file: z.string().regex(/^[a-z0-9_.]+$/),
});

const manifest = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  postgres: z.string(),
  /** Identifies the key that decrypts the secrets, without helping to find it. */
  keyMark: z.string(),
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  jobMigrations: z.array(z.number().int()),
  /** The first instants of the oldest and the newest month that has partitions. */
  months: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }),
  tables: z.array(tableCopy),
  /** Each sequence's last value. Unused sequences are omitted. */
  sequences: z.array(z.object({ name: z.string(), last: z.string().regex(/^-?\d+$/) })),
});

/** The contents of a backup. Written last, so a folder without a manifest is not a backup. */
export type Manifest = z.output<typeof manifest>;

/** One table of a backup. */
export type TableCopy = z.output<typeof tableCopy>;

const fileName = 'manifest.json';

/** Writes the manifest and flushes it to disk. */
export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const handle = await open(join(folder, fileName), 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(content, undefined, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads the manifest of a backup. Throws if it is missing, or if this version cannot read it. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, fileName), 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`${folder} is not a complete backup: it has no ${fileName}`);
  const parsed = manifest.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error(`${folder}: this version cannot read its ${fileName}`);
  return parsed.data;
}
