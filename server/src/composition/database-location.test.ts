import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#config.ts';
import { readAccess, superuserUrl } from '#db/embedded/access.ts';
import { findCluster } from '#db/embedded/cluster-location.ts';
import { asOwner } from '#db/owner.ts';
import { embeddedDirectory, joinForCommand, openDatabase } from './database-location.ts';

const log = pino({ level: 'silent' });
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hengfu-location-'));
});
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 5 }));

describe('a command that starts the embedded database', { timeout: 90_000 }, () => {
  it('archives nothing; its segments wait for the product', async () => {
    const archive = join(folder, 'archive');
    const config = readConfig({
      DATA_DIR: join(folder, 'data'),
      APP_KEY: randomBytes(32).toString('hex'),
      WAL_ARCHIVE_URL: String(pathToFileURL(archive)),
      WAL_ARCHIVE_KEY: randomBytes(32).toString('hex'),
    });
    const directory = embeddedDirectory(config);
    const segments = () => readdirSync(archive).filter((name) => /\.wal\.[0-9A-F]{24}$/.test(name));
    const command = await joinForCommand(config, log);
    const access = readAccess(directory) ?? expect.fail('no database');
    await asOwner(superuserUrl(access), (client) => client.query('select pg_switch_wal()'));
    await command.stop();
    const { cluster } = findCluster(directory, () => {});
    const waiting = readdirSync(join(cluster, 'pg_wal/archive_status')).flatMap((name) =>
      name.endsWith('.ready') ? name.slice(0, -'.ready'.length) : [],
    );
    expect(waiting).not.toEqual([]);
    expect(readdirSync(folder)).toEqual(['data']);
    // Shutting down waits until the segments are archived.
    await (await openDatabase(config, log)).stop();
    expect(segments().map((name) => name.split('.').at(-1))).toEqual(expect.arrayContaining(waiting));
  });
});
