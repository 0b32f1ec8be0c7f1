import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { migrate } from '#db/migrate.ts';
import { asOwner } from '#db/owner.ts';
import { cloneDatabase, type TestDatabase } from './test-database.ts';

/** A database of a test, and a folder of migrations that the test writes. */
export class OwnMigrations {
  readonly ownerUrl: string;
  readonly folder: string;
  readonly #database: TestDatabase;

  private constructor(database: TestDatabase, folder: string) {
    this.#database = database;
    this.ownerUrl = database.ownerUrl;
    this.folder = folder;
  }

  static async open(clusterUrl: string): Promise<OwnMigrations> {
    const folder = await mkdtemp(join(tmpdir(), 'hengfu-migrations-'));
    return new OwnMigrations(await cloneDatabase(clusterUrl), folder);
  }

  async close(): Promise<void> {
    await this.#database.drop();
    await rm(this.folder, { recursive: true, force: true });
  }

  query(text: string): Promise<pg.QueryResult> {
    return asOwner(this.ownerUrl, (client) => client.query(text));
  }

  /** Writes a file of SQL into the folder. */
  async write(name: string, text: string): Promise<void> {
    const path = join(this.folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  /** Runs the folder's migrations; returns the names of those that ran. */
  run(): Promise<string[]> {
    return migrate(this.ownerUrl, { folder: this.folder });
  }
}
