import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@hengfu/server/db/embedded/server-process.ts';
import { loginOf, urlAs } from '@hengfu/server/db/login.ts';
import { asOwner } from '@hengfu/server/db/owner.ts';
import { endProcess } from '@hengfu/server/testing/product-process.ts';
import { testKey } from '@hengfu/server/testing/test-database.ts';
import { until } from '@hengfu/server/testing/until.ts';
import { run } from '../mounts.ts';
import { type Cluster, ownerOf } from './cluster.ts';
import { filled } from './templates.ts';

/** So many connections in a row must reach the leader: two rounds of the three servers. */
const settledAfter = 6;

/** HAProxy and PgBouncer, from `deploy/ha`: the addresses by which the product reaches the cluster and is reached. */
export class Front {
  /** The leader, as the owner of the database, through HAProxy. */
  readonly ownerUrl: string;
  /** The pooler, for `POOLER_URL`. */
  readonly poolerUrl: string;
  /** The web processes, through HAProxy. */
  readonly webUrl: string;
  /** The ports on which HAProxy expects the web processes. */
  readonly webPorts: readonly [number, number];
  readonly #folder: string;
  readonly #values: Readonly<Record<string, string>>;
  readonly #children: ChildProcess[] = [];
  readonly #log: number;

  private constructor(
    folder: string,
    cluster: Cluster,
    ports: readonly [number, number, number, number, number],
  ) {
    const [database, pooler, web, ...webPorts] = ports;
    this.#folder = folder;
    this.#log = openSync(join(folder, 'front.log'), 'a');
    this.webPorts = webPorts;
    this.webUrl = `http://127.0.0.1:${web}`;
    this.ownerUrl = `postgres://${ownerOf(cluster.values)}@127.0.0.1:${database}/hengfu`;
    const pooled = new URL(urlAs(this.ownerUrl, loginOf(Buffer.from(testKey, 'hex'))));
    pooled.port = String(pooler);
    this.poolerUrl = pooled.href;
    this.#values = {
      ...cluster.values,
      HA_DATABASE_PORT: String(database),
      HA_POOLER_PORT: String(pooler),
      HA_POOLER_USERS: join(folder, 'users.txt'),
      HA_WEB_PORT: String(web),
      HA_WEB_1: `127.0.0.1:${webPorts[0]}`,
      HA_WEB_2: `127.0.0.1:${webPorts[1]}`,
    };
  }

  static async open(folder: string, cluster: Cluster): Promise<Front> {
    const ports: number[] = [];
    while (ports.length < 5) ports.push(await freePort(0));
    const [database, pooler, web, web1, web2] = ports as [number, number, number, number, number];
    const front = new Front(folder, cluster, [database, pooler, web, web1, web2]);
    await front.#start('haproxy.cfg', (path) => ['haproxy', '-db', '-f', path]);
    await until(() => front.#isSettled(), Boolean);
    return front;
  }

  /** Starts PgBouncer; the product's role must exist. */
  async startPooler(): Promise<void> {
    const { name, password } = loginOf(Buffer.from(testKey, 'hex'));
    const users = join(this.#folder, 'users.txt');
    await writeFile(users, `"${name}" "${password}"\n`, { mode: 0o600 });
    await run('chown', ['postgres:postgres', users]);
    await this.#start('pgbouncer.ini', (path) => ['pgbouncer', path]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#children.map((child) => endProcess(child, 'SIGKILL')));
    closeSync(this.#log);
  }

  /**
   * Whether the database is reached, and only its leader: HAProxy sends connections to every server until
   * it has checked it for the first time.
   */
  async #isSettled(): Promise<boolean> {
    const isStandby = () =>
      asOwner(this.ownerUrl, async (client) => {
        const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
        return rows[0]?.standby;
      }).catch(() => true);
    for (let number = 0; number < settledAfter; number++) if (await isStandby()) return false;
    return true;
  }

  /** Starts a program with its filled-in file, as PostgreSQL's user; it ends with this process. */
  async #start(file: string, commandOf: (path: string) => string[]): Promise<void> {
    const path = join(this.#folder, file);
    await writeFile(path, await filled(file, this.#values), { mode: 0o644 });
    const user = ['--reuid', 'postgres', '--regid', 'postgres', '--init-groups', '--pdeathsig', 'KILL'];
    const options = { stdio: ['ignore', this.#log, this.#log] satisfies ['ignore', number, number] };
    this.#children.push(spawn('setpriv', [...user, ...commandOf(path)], options));
  }
}
