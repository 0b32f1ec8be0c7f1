import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { isRoot } from '../../testing/obstacle.ts';
import { until } from '../../testing/until.ts';
import { giveTo } from './account.ts';
import { DataDirInUseError, findRunningEmbedded } from './embedded.ts';
import { isAlive } from './process-table.ts';
import { Kit, postmasterPid, query, removeSettled } from './test-kit.ts';

const kit = new Kit();
afterEach(() => kit.end(), 30_000);
afterAll(removeSettled);

const one = async (url: string) => (await query(url, 'select 1 as one')).rows;
const keep = (url: string) => query(url, 'create table kept (n int); insert into kept values (7)');
const kept = async (url: string) => (await query(url, 'select n from kept')).rows;
const seen = [{ n: 7 }];

describe('the embedded PostgreSQL', () => {
  it('starts, keeps its data over a restart, and has an owner that is no superuser', async () => {
    const dataDir = kit.openFolder();
    const first = await kit.start(dataDir);
    await keep(first.ownerUrl);
    await Promise.all([first.stop(), first.stop()]);
    const lines: string[] = [];
    const second = await kit.start(dataDir, (line) => lines.push(line));
    expect(await kept(second.ownerUrl)).toEqual(seen);
    expect(lines).toEqual(['LOG:  database system is ready to accept connections']);
    const { rows } = await query(
      second.ownerUrl,
      `select rolsuper, rolcreatedb, rolcreaterole, datlocprovider, datlocale, pg_encoding_to_char(encoding) as encoding
       from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
    );
    expect(rows).toEqual([
      {
        rolsuper: false,
        rolcreatedb: true,
        rolcreaterole: true,
        datlocprovider: 'b',
        datlocale: 'C.UTF-8',
        encoding: 'UTF8',
      },
    ]);
    expect(statSync(join(dataDir, 'connection.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'cluster')).mode & 0o777).toBe(0o700);
  });

  it('refuses a second product on the same directory with a clear message', async () => {
    const dataDir = await kit.settledFolder();
    const { ownerUrl, stop } = await kit.start(dataDir);
    await expect(kit.start(dataDir)).rejects.toThrow(DataDirInUseError);
    await expect(kit.start(dataDir)).rejects.toThrow(`process ${process.pid}) is running on ${dataDir}`);
    expect(await findRunningEmbedded(dataDir)).toBe(ownerUrl);
    await stop();
    expect(await findRunningEmbedded(dataDir)).toBeUndefined();
  });

  it('uses another port if the last one is taken', async () => {
    const dataDir = await kit.settledFolder();
    const first = await kit.start(dataDir);
    await first.stop();
    const port = Number(new URL(first.ownerUrl).port);
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const second = await kit.start(dataDir);
    other.close();
    expect(new URL(second.ownerUrl).port).not.toBe(String(port));
    expect(await one(second.ownerUrl)).toEqual([{ one: 1 }]);
  });

  it('works in a folder that only its owner may enter, with a space and Chinese letters in its name', async () => {
    const folder = kit.closedFolder('hengfu 衡付 ');
    const dataDir = join(folder, 'postgres');
    const first = await kit.start(dataDir);
    await keep(first.ownerUrl);
    await first.stop();
    // As root, the cluster is elsewhere. The data directory records where; its copy gets another cluster.
    const note = join(dataDir, 'place.json');
    expect(existsSync(note)).toBe(isRoot);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const copy = join(folder, 'copy');
    cpSync(dataDir, copy, { recursive: true });
    expect(await kept((await kit.start(dataDir)).ownerUrl)).toEqual(seen);
    const second = await kit.start(copy);
    if (!isRoot) return;
    for (const directory of [dataDir, copy]) {
      kit.removeLater(JSON.parse(readFileSync(join(directory, 'place.json'), 'utf8')).home);
    }
    await expect(kept(second.ownerUrl)).rejects.toThrow('does not exist');
  });

  it('recreates a cluster that a kill has left incomplete', async () => {
    const dataDir = kit.openFolder();
    mkdirSync(join(dataDir, 'cluster.new-1/base'), { recursive: true });
    const { ownerUrl } = await kit.start(dataDir);
    expect(await one(ownerUrl)).toEqual([{ one: 1 }]);
    expect(existsSync(join(dataDir, 'cluster.new-1'))).toBe(false);
  });

  it('sets new passwords if they are lost, and does not replace a cluster that is gone', async () => {
    const dataDir = await kit.settledFolder();
    const first = await kit.start(dataDir);
    await keep(first.ownerUrl);
    await first.stop();
    rmSync(join(dataDir, 'connection.json'));
    const second = await kit.start(dataDir);
    expect(await kept(second.ownerUrl)).toEqual(seen);
    await second.stop();
    rmSync(join(dataDir, 'cluster'), { recursive: true });
    await expect(kit.start(dataDir)).rejects.toThrow('is gone');
  });
});

describe('the embedded PostgreSQL, killed', () => {
  it('restarts on the same port, even while a long query of the old one runs', async () => {
    const dataDir = await kit.settledFolder();
    const lines: string[] = [];
    const { ownerUrl } = await kit.start(dataDir, (line) => lines.push(line));
    await keep(ownerUrl);
    const started = query(
      ownerUrl,
      `set application_name = 'busy'; select count(*) from generate_series(1, 1e12)`,
    );
    const lost = expect(started).rejects.toThrow();
    const busy = `select pid from pg_stat_activity where application_name = 'busy' and state = 'active'`;
    const { pid } = (
      await until(
        () => query(ownerUrl, busy),
        ({ rowCount }) => rowCount === 1,
      )
    ).rows[0];
    process.kill(postmasterPid(join(dataDir, 'cluster')), 'SIGKILL');
    const readKept = () => kept(ownerUrl).catch(() => []);
    expect(await until(readKept, (rows) => rows.length === 1)).toEqual(seen);
    await lost;
    expect(isAlive(pid)).toBe(false);
    expect(lines).toContain('PostgreSQL has ended (SIGKILL), restarting it');
  });

  it.each(isRoot ? [undefined, 65_534] : [undefined])(
    'is recovered after its product was killed (user %s)',
    async (uid) => {
      const dataDir = await kit.settledFolder();
      if (uid !== undefined) giveTo({ uid, gid: uid }, dataDir);
      const holder = await kit.startHolder(dataDir, { uid });
      const oldPid = postmasterPid(join(dataDir, 'cluster'));
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      expect(isAlive(oldPid)).toBe(true);
      const { ownerUrl } = await kit.start(dataDir);
      expect(isAlive(oldPid)).toBe(false);
      expect(await one(ownerUrl)).toEqual([{ one: 1 }]);
    },
  );

  it('starts if the process ID of its last run was reused', async () => {
    const dataDir = await kit.settledFolder();
    const first = await kit.start(dataDir);
    const cluster = join(dataDir, 'cluster');
    const { uid, gid } = statSync(cluster);
    const lockText = readFileSync(join(cluster, 'postmaster.pid'), 'utf8');
    await first.stop();
    const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    await once(other, 'spawn');
    writeFileSync(join(cluster, 'postmaster.pid'), lockText.replace(/^\d+/, String(other.pid)));
    chownSync(join(cluster, 'postmaster.pid'), uid, gid);
    const { ownerUrl } = await kit.start(dataDir);
    expect(await one(ownerUrl)).toEqual([{ one: 1 }]);
    expect(isAlive(other.pid ?? 0)).toBe(true);
    other.kill();
  });

  it('ignores Ctrl-C in the terminal, and ends with a product that exits without stopping it', async () => {
    const dataDir = await kit.settledFolder();
    const holder = await kit.startHolder(dataDir, { onTerminate: 'process.exit(1)' });
    const postmaster = postmasterPid(join(dataDir, 'cluster'));
    process.kill(-(holder.pid ?? 0), 'SIGINT');
    const url = await findRunningEmbedded(dataDir);
    expect(await one(url ?? '')).toEqual([{ one: 1 }]);
    expect(postmasterPid(join(dataDir, 'cluster'))).toBe(postmaster);
    holder.kill('SIGTERM');
    expect(
      await until(
        async () => isAlive(postmaster),
        (alive) => !alive,
      ),
    ).toBe(false);
  });
});
