import { type StaffRole, staffRoles } from '@hengfu/contract/staff/permissions';
import { openStaff } from '@hengfu/server/composition/staff.ts';
import { readConfig } from '@hengfu/server/config.ts';
import { testKey } from '@hengfu/server/testing/test-database.ts';
import type { TestInstallation } from '@hengfu/server/testing/test-installation.ts';
import type pg from 'pg';
import type { Member } from './actors.ts';

/** Settings of a back office whose people need no second factor: one code is valid once, and would refuse most calls. */
export const officeEnv = { PROCESS: 'staff', DEMO: '1', STAFF_PORT: '0', METRICS_PORT: '0' };

/** Adds a member of our staff for each role. */
export async function addMembers({ ownerUrl, folder }: TestInstallation): Promise<Record<StaffRole, Member>> {
  const env = { ...officeEnv, APP_KEY: testKey, DATA_DIR: folder, DATABASE_URL: ownerUrl };
  const office = await openStaff({ ...readConfig(env), isForCommand: true }, ownerUrl, {
    warn: () => undefined,
  });
  const members: Partial<Record<StaffRole, Member>> = {};
  try {
    for (const role of staffRoles) {
      const email = `${role.toLowerCase()}@staff.test`;
      const password = await office.accounts.create({ email, name: role, roles: [role] }, 'operator:setup');
      members[role] = { email, password };
    }
  } finally {
    await office.close();
  }
  return members as Record<StaffRole, Member>;
}

type Row = Readonly<Record<string, unknown>>;

/** Columns with identities and permissions, which no call of one person may change. */
const protectedColumns = ['id', 'email', 'roles', 'disabled_at'];

/** A snapshot of the accounts and sessions of our staff, restored at regular intervals. */
export class OfficeSnapshot {
  readonly #owner: pg.Client;
  readonly #users: readonly Row[];
  readonly #sessions: readonly Row[];

  private constructor(owner: pg.Client, users: readonly Row[], sessions: readonly Row[]) {
    this.#owner = owner;
    this.#users = users;
    this.#sessions = sessions;
  }

  static async take(owner: pg.Client): Promise<OfficeSnapshot> {
    return new OfficeSnapshot(owner, await rowsOf(owner, 'staff_user'), await rowsOf(owner, 'staff_session'));
  }

  /** Finds accounts whose identity or permissions differ from the snapshot: changing them takes two administrators, and there is one. */
  async faults(): Promise<string[]> {
    const now = (await rowsOf(this.#owner, 'staff_user')).map(protectedValues).sort().join();
    const before = this.#users.map(protectedValues).sort().join();
    return now === before ? [] : [`permissions have changed: staff_user is ${now}`];
  }

  /** Restores passwords and sessions, resets the limits of the sign-in, and opens the channels that somebody has closed. */
  async restore(): Promise<void> {
    await this.#owner.query(
      'delete from staff_throttle; delete from staff_passkey; delete from staff_session',
    );
    await this.#owner.query(
      `update staff_user u set password_hash = b.password_hash, factor_secret = b.factor_secret, language = b.language
       from jsonb_populate_recordset(null::staff_user, $1::jsonb) b where b.id = u.id`,
      [JSON.stringify(this.#users)],
    );
    await this.#owner.query(
      `insert into staff_session select * from jsonb_populate_recordset(null::staff_session, $1::jsonb)`,
      [JSON.stringify(this.#sessions)],
    );
    await this.#owner.query(
      'update staff_session set last_seen_at = now(); update channel set collection_open = true, payout_open = true',
    );
  }
}

async function rowsOf(owner: pg.Client, table: string): Promise<Row[]> {
  const { rows } = await owner.query<{ row: Row }>(`select to_jsonb(t) as row from ${table} t`);
  return rows.map(({ row }) => row);
}

function protectedValues(row: Row): string {
  return JSON.stringify(protectedColumns.map((name) => row[name] ?? null));
}
