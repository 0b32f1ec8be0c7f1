import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type OwnCluster, startOwnCluster } from './own-cluster.ts';
import { startStandby } from './standby.ts';

let cluster: OwnCluster;
let folder: string;

beforeAll(async () => {
  cluster = await startOwnCluster();
  folder = await mkdtemp(join(tmpdir(), 'hengfu-no-standby-'));
  await chmod(folder, 0o755);
  vi.stubEnv('TMPDIR', folder);
}, 120_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
  await cluster.remove();
});

const slots = () => cluster.ask<string>('select count(*)::text from pg_replication_slots');

describe('a standby that does not start', () => {
  it('leaves no slot and no files behind: its port is taken', async () => {
    const server = createServer((socket) => socket.destroy());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(startStandby(cluster.dataDir, { port })).rejects.toThrow('does not accept connections');
    server.close();
    expect([await slots(), await readdir(folder)]).toEqual(['0', []]);
  }, 120_000);

  it('leaves nothing behind, and says that its copy is incomplete', async () => {
    const from = { port: cluster.port, cluster: join(folder, 'gone') };
    await expect(startStandby(cluster.dataDir, { from })).rejects.toThrow('the copy of the cluster failed');
    expect([await slots(), await readdir(folder)]).toEqual(['0', []]);
  });
});
