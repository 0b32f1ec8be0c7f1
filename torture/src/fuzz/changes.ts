import { asOwner } from '@hengfu/server/db/owner.ts';
import type pg from 'pg';

/** A row that was written. */
export interface Change {
  table: string;
  operation: 'INSERT' | 'UPDATE' | 'DELETE';
  /** Of an update: the columns that have another value now. */
  columns: string | null;
  /** Whose row it is; null where it is nobody's. */
  merchant: string | null;
}

/**
 * What a refused request may write, and why: a table, or one kind of change of it, an update with its columns.
 * Everything else that a refusal writes is a fault.
 */
const writtenByRefusals: Readonly<Record<string, string>> = {
  sign_in_throttle: 'tries are counted before they are judged; a right payment password ends its count',
  sign_in_address: 'accounts are counted before their passwords are judged',
  signed_call_count: 'from where signed calls come, let in or not: written every two seconds',
  request_minute: 'calls are counted for the status page, failed ones too: every ten seconds',
  channel_minute: 'what the status page is judged by, measured by the clock, whoever calls',
  status_sample: 'the same',
  status_quarter: 'the same',
  status_incident: 'the same',
  status_incident_update: 'the same',
  'INSERT used_nonce': 'a nonce is used up by a right signature, whatever becomes of the call',
  'DELETE passkey_challenge': 'a challenge is good once, for a wrong answer too',
  'UPDATE session last_seen_at': 'whoever is refused has been here',
  'UPDATE session passkey_shown_at':
    'a passkey that was shown is used up by the first action that asks for it',
};

/** The changes that a refusal must not make, by their names. */
export function wrongChanges(changes: readonly Change[]): string[] {
  const names = changes
    .filter(({ table }) => !(table in writtenByRefusals))
    .map(({ operation, table, columns }) => [operation, table, columns].filter(Boolean).join(' '));
  return [...new Set(names)].filter((name) => !(name in writtenByRefusals));
}

/** Lets triggers note every row that is written, in every table of the product and of its queue of jobs. */
export async function watchTables(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    await client.query(noteChanges);
    const { rows } = await client.query<{ name: string }>(`
      select format('%I.%I', n.nspname, c.relname) as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition
        and n.nspname not in ('torture', 'pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'`);
    for (const { name } of rows)
      await client.query(
        `create trigger torture_note after insert or update or delete on ${name}
         for each row execute function torture.note()`,
      );
  });
}

const noteChanges = `
  create schema torture;
  create unlogged table torture.change (
    id bigint generated always as identity primary key,
    table_name text not null, operation text not null, columns text, merchant text, transaction xid8 not null);
  create function torture.note() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
  declare
    was jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) end;
    is_now jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) end;
  begin
    insert into torture.change (table_name, operation, columns, merchant, transaction)
    values (tg_table_name, tg_op,
      (select string_agg(key, ' ' order by key) from jsonb_each(is_now) where tg_op = 'UPDATE'
        and value is distinct from was -> key),
      case tg_table_name when 'merchant' then coalesce(is_now, was) ->> 'id'
        else coalesce(is_now, was) ->> 'merchant_id' end,
      pg_current_xact_id());
    return null;
  end $$;`;

/** What was written since it was last asked. */
export class Changes {
  readonly #client: pg.Client;
  #seen = 0n;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  async taken(): Promise<Change[]> {
    const { rows } = await this.#client.query<Change & { id: string }>({
      name: 'taken',
      text: `select id, table_name as table, operation, columns, merchant from torture.change where id > $1 order by id`,
      values: [String(this.#seen)],
    });
    this.#seen = BigInt(rows.at(-1)?.id ?? this.#seen);
    return rows;
  }
}
