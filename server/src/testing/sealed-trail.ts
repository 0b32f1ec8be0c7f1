import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { Archiver } from '#archive/archiver.ts';
import { asOwner } from '#db/owner.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import { DirectoryStore, type ListedStore } from '#files/file-store.ts';
import { Secrets } from '#security/secrets.ts';
import { AuditSealService } from '../features/audit-seal/audit-seal.service.ts';
import { Outside } from '../features/audit-seal/outside.ts';
import { SealVerifier, type Verification } from '../features/audit-seal/seal-verifier.ts';
import { Sealer } from '../features/audit-seal/sealer.ts';
import { testKey } from './test-database.ts';
import { type TestMerchant, TestProduct } from './test-product.ts';

/** Differences of another process that seals the same audit trail. */
interface SealerSettings {
  key?: string;
  previousKey?: string;
  /** The clock of that process. */
  now?: () => Date;
  /** How long it waits for a read or write outside. */
  deadlineMs?: number;
  /** The place outside. */
  files?: ListedStore;
  /** How long its verification waits for rows to be sealed. */
  patienceMs?: number;
}

/** A product whose audit trail has three roots, with rows of two merchants and of the service. */
export class SealedTrail {
  readonly product: TestProduct;
  readonly merchant: TestMerchant;
  readonly other: TestMerchant;
  /** The directory outside the database. */
  readonly folder: string;
  readonly files: DirectoryStore;

  private constructor(parts: Pick<SealedTrail, 'product' | 'merchant' | 'other'>) {
    this.product = parts.product;
    this.merchant = parts.merchant;
    this.other = parts.other;
    this.folder = join(this.product.dataDirectory, 'audit-roots');
    this.files = new DirectoryStore(this.folder);
  }

  static async start(clusterUrl = inject('ownerUrl')): Promise<SealedTrail> {
    const product = await TestProduct.start(clusterUrl);
    const [merchant, other] = [await product.merchant('sealed'), await product.merchant('other')];
    const trail = new SealedTrail({ product, merchant, other });
    for (let round = 1; round <= 3; round++) {
      await trail.act(merchant, `u${round}`, 4);
      await trail.act(other, `o${round}`, 2);
      if ((await trail.seal()) !== 1) throw new Error('each round makes a root');
    }
    return trail;
  }

  close(): Promise<void> {
    return this.product.close();
  }

  /** Writes audit rows, as any action does. */
  async act({ id }: TestMerchant = this.merchant, subject = 'late', rows = 1): Promise<void> {
    await writeRows(this.product, id, subject, rows);
  }

  /** Returns the number of roots that were made. */
  async seal(): Promise<number> {
    return (await this.product.services.auditSeal.seal()).roots;
  }

  verify(): Promise<Verification> {
    return this.product.services.auditSeal.verify();
  }

  async faults(): Promise<string[]> {
    return (await this.verify()).faults.map(({ fault }) => fault);
  }

  /** Cuts off the end, from the third root on, and adapts seals, roots and the sequence. */
  cutOff(): Promise<void> {
    return this.asThief(
      `delete from audit where id > (select to_id from audit_root where number = 2)`,
      `delete from audit_seal where root_number = 3`,
      `delete from audit_root where number = 3`,
      `select setval('audit_id_seq', (select max(id) from audit))`,
    );
  }

  /** Runs statements as somebody who owns the database, and whom neither triggers nor row-level security stop. */
  async asThief(...statements: string[]): Promise<void> {
    const tables = ['audit', 'audit_root', 'audit_seal'];
    const triggers = (verb: string) =>
      tables.map((table) => `alter table ${table} ${verb} trigger append_only`);
    // Row-level security applies to the owner, too.
    const security = (verb: string) =>
      ['audit', 'audit_seal', 'archived_part'].map(
        (table) => `alter table ${table} ${verb} row level security`,
      );
    await asOwner(this.product.ownerUrl, async (client) => {
      for (const statement of [
        ...triggers('disable'),
        ...security('no force'),
        ...statements,
        ...security('force'),
        ...triggers('enable'),
      ])
        await client.query(statement);
    });
  }

  /** Reads the value of a statement’s first column and row, as the owner. */
  async ask(statement: string): Promise<string | undefined> {
    return asOwner(this.product.ownerUrl, async (client) => {
      await client.query('begin');
      for (const table of ['audit', 'audit_seal'])
        await client.query(`alter table ${table} no force row level security`);
      const { rows } = await client.query<[unknown]>({ text: statement, rowMode: 'array' });
      await client.query('rollback');
      return rows[0] && String(rows[0][0]);
    });
  }

  /** The names of the files with roots outside, in their order. */
  async rootFiles(): Promise<string[]> {
    return (await readdir(this.folder)).filter((name) => name.startsWith('root-')).toSorted();
  }

  /** The path of the newest one. */
  async newestFile(): Promise<string> {
    return join(this.folder, (await this.rootFiles()).at(-1) ?? '');
  }

  /** The number of the newest root outside. */
  async newestNumber(): Promise<string> {
    return JSON.parse(await readFile(await this.newestFile(), 'utf8')).number;
  }

  /** Another process on the same database. */
  sealedBy(settings: SealerSettings): AuditSealService {
    const { database } = this.product.services;
    const key = (hex: string) => Buffer.from(hex, 'hex');
    const {
      key: appKey = testKey,
      previousKey,
      now = () => new Date(),
      deadlineMs,
      patienceMs = 0,
    } = settings;
    const secrets = new Secrets(key(appKey), previousKey === undefined ? undefined : key(previousKey));
    const outside = new Outside(settings.files ?? this.files, secrets, {
      now,
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    });
    const archive = new DirectoryStore(join(this.product.dataDirectory, 'archive'));
    return new AuditSealService({
      database,
      outside,
      sealer: new Sealer(database, outside, now),
      verifier: new SealVerifier(database, outside, new Archiver(database, archive), { now, patienceMs }),
    });
  }

  /** Another process whose clock is some days away. */
  daysAway(days: number): AuditSealService {
    return this.sealedBy({ now: () => new Date(Date.now() + days * 86_400_000) });
  }
}

/** Writes audit rows of a product, as any action does. */
export function writeRows(
  { services }: TestProduct,
  merchantId: bigint,
  subject: string,
  rows: number,
): Promise<void> {
  return services.database.asSystem(async (tx) => {
    for (let n = 1; n <= rows; n++) {
      // No field that the product records: its value is the number of the row.
      const after: object = { n };
      await writeAudit(tx, { merchantId, actor: 'operator:test', action: 'terms.set', subject, after });
    }
  });
}
