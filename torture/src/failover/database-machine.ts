import { closeSync, openSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../mounts.ts';
import type { Lan } from './lan.ts';
import { diskFolder, Machine } from './machine.ts';
import { filled } from './templates.ts';

/** Programs of a database machine by the names of their processes. */
export const databasePrograms: readonly string[] = ['patroni', 'postgres'];
const configs = ['etcd.yml', 'patroni.yml', 'disk-guard.py', 'database.sql'] as const;
/** Room for the data, the WAL that is kept, and the reserve. */
const diskKiB = 1_200_000;

/** One of the three machines: etcd, Patroni with PostgreSQL, and the guard of the disk, from `deploy/ha`. */
export class DatabaseMachine {
  readonly name: string;
  readonly number: number;
  readonly address: string;
  readonly machine: Machine;
  readonly #folder: string;
  readonly #log: number;

  private constructor(number: number, machine: Machine, address: string, folder: string) {
    this.name = nameOf(number);
    this.number = number;
    this.machine = machine;
    this.address = address;
    this.#folder = join(folder, this.name);
    this.#log = openSync(join(folder, `${this.name}.log`), 'a');
  }

  /** Connects a new machine to the network; nothing runs on it yet. */
  static async open(lan: Lan, number: number, folder: string): Promise<DatabaseMachine> {
    const machine = await Machine.start(diskKiB);
    try {
      return new DatabaseMachine(number, machine, await lan.connect(machine, number), folder);
    } catch (error) {
      await machine.end();
      throw error;
    }
  }

  /** Writes its configuration, and starts its programs. */
  async begin(values: Readonly<Record<string, string>>): Promise<void> {
    const own = {
      HA_NODE: this.name,
      HA_ADDRESS: this.address,
      HA_DATA_FOLDER: diskFolder,
      HA_ETCD_FOLDER: join(this.#folder, 'etcd'),
      HA_RUN_FOLDER: this.#folder,
    };
    await mkdir(this.#folder, { mode: 0o700 });
    for (const file of configs)
      await writeFile(this.#path(file), await filled(file, { ...values, ...own }), { mode: 0o700 });
    await run('chown', ['--recursive', 'postgres:postgres', this.#folder]);
    await run('chown', ['postgres:postgres', this.disk]);
    this.startEtcd();
    this.startPatroni();
    this.machine.start(this.#log, [this.#path('disk-guard.py'), this.#path('patroni.yml')]);
  }

  startEtcd(): void {
    this.machine.start(this.#log, ['etcd', '--config-file', this.#path('etcd.yml')]);
  }

  startPatroni(): void {
    this.machine.start(this.#log, ['patroni', this.#path('patroni.yml')]);
  }

  /** Runs the file that creates the product's role and database; this machine must be the leader. */
  async createDatabase(): Promise<void> {
    const psql = ['psql', '-v', 'ON_ERROR_STOP=1', '-h', this.#folder, '-f', this.#path('database.sql')];
    const user = ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--init-groups'];
    await this.machine.run(...user, ...psql);
  }

  /** The disk of its data, as seen from outside. */
  get disk(): string {
    return this.machine.outside(diskFolder);
  }

  async end(): Promise<void> {
    await this.machine.end();
    closeSync(this.#log);
  }

  #path(file: (typeof configs)[number]): string {
    return join(this.#folder, file);
  }
}

/** The names that `deploy/ha` gives to the machines. */
const nameOf = (number: number): string => `pg${number + 1}`;
