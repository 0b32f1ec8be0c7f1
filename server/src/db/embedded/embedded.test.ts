import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import { DataDirInUseError, type EmbeddedPostgres, findRunningEmbedded, startEmbedded } from './embedded.ts';

const running: EmbeddedPostgres[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const place of running.splice(0)) await place.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}, 30_000);

function folder(prefix = 'hengfu-embedded-'): string {
  const made = mkdtempSync(join(tmpdir(), prefix));
  folders.push(made);
  return made;
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const place = await startEmbedded({ dataDir, log: () => {} });
  running.push(place);
  return place;
}

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client.query(text).finally(() => client.end());
}

/** A process of its own that holds a cluster, as the product does. */
async function startHolder(dataDir: string): Promise<ChildProcess> {
  const script = `import { startEmbedded } from ${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))};
    await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} }); console.log('ready');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line === 'ready') break;
  return child;
}

/** A folder that the server's user may enter, so that the cluster stays in it. */
function openFolder(): string {
  const made = folder();
  chmodSync(made, 0o755);
  return made;
}

describe('the embedded PostgreSQL', () => {
  it('starts, keeps what was written over a restart, and is no superuser’s', async () => {
    const dataDir = openFolder();
    const first = await start(dataDir);
    await query(first.ownerUrl, 'create table kept (n int); insert into kept values (7)');
    await running.pop()?.stop();
    const second = await start(dataDir);
    expect((await query(second.ownerUrl, 'select n from kept')).rows).toEqual([{ n: 7 }]);
    const { rows } = await query(
      second.ownerUrl,
      'select rolsuper from pg_roles where rolname = current_user',
    );
    expect(rows).toEqual([{ rolsuper: false }]);
    expect(statSync(join(dataDir, 'connection.json')).mode & 0o777).toBe(0o600);
  });

  it('is one product’s: a second one is refused with a clear line', async () => {
    const dataDir = openFolder();
    const { ownerUrl } = await start(dataDir);
    await expect(start(dataDir)).rejects.toThrow(DataDirInUseError);
    await expect(start(dataDir)).rejects.toThrow(`process ${process.pid}`);
    expect(await findRunningEmbedded(dataDir)).toBe(ownerUrl);
  });

  it('comes back on the same port when it is killed', async () => {
    const dataDir = openFolder();
    const { ownerUrl } = await start(dataDir);
    await query(ownerUrl, 'create table kept (n int); insert into kept values (7)');
    const postmaster = Number(readFileSync(join(dataDir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(postmaster, 'SIGKILL');
    const look = () =>
      query(ownerUrl, 'select n from kept').then(
        ({ rows }) => rows.length,
        () => 0,
      );
    expect(await until(look, (count) => count === 1)).toBe(1);
  });

  it('is recovered from a product that was killed', async () => {
    const dataDir = openFolder();
    const holder = await startHolder(dataDir);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const { ownerUrl } = await start(dataDir);
    expect((await query(ownerUrl, 'select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('works in a folder that only its owner may enter, with a space and letters of any language in its name', async () => {
    const dataDir = join(folder('hengfu 衡付 '), 'postgres');
    const { ownerUrl } = await start(dataDir);
    expect((await query(ownerUrl, 'select 1 as one')).rows).toEqual([{ one: 1 }]);
    // As root the cluster had to go elsewhere: the data directory knows where.
    const note = join(dataDir, 'place.json');
    if (existsSync(note)) folders.push(JSON.parse(readFileSync(note, 'utf8')).home);
    expect(existsSync(note)).toBe(process.getuid?.() === 0);
  });

  it('makes anew what a kill has left half-made', async () => {
    const dataDir = openFolder();
    mkdirSync(join(dataDir, 'cluster.new-1/base'), { recursive: true });
    const { ownerUrl } = await start(dataDir);
    expect((await query(ownerUrl, 'select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
