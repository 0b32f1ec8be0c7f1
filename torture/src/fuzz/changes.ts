import { asOwner } from '@hengfu/server/db/owner.ts';
import type pg from 'pg';

/** A row that was inserted, updated or deleted. */
export interface Change {
  table: string;
  operation: 'INSERT' | 'UPDATE' | 'DELETE';
  /** For an update: the columns whose value changed. */
  columns: string | null;
  /** Id of the merchant that owns the row; null if none does. */
  merchant: string | null;
}

/**
 * Writes that a refused request may make, and why. A key is a table, or an operation and a table, with the columns
 * of an update. Anything else that a refused request writes is a fault.
 */
const writtenByRefusals: Readonly<Record<string, string>> = {
  sign_in_throttle:
    'attempts are counted before they are checked; a correct payment password resets its count',
  sign_in_address: 'accounts are counted before their passwords are checked',
  staff_throttle: 'likewise in the back office',
  signed_call_count: 'addresses of signed calls, accepted or refused: written every two seconds',
  access_key_use:
    'the last use of each key, of calls that were admitted: written within a minute of the call',
  access_key_warning: 'a timer notifies merchants of keys that expire',
  api_request: 'the log of signed calls of a merchant keeps the refused ones, too',
  api_request_block: 'the same for created orders, which are kept in blocks',
  api_request_count: 'the same, beyond the most that it keeps of one key in an hour',
  request_minute: 'calls are counted for the status page, including failed ones: every ten seconds',
  channel_minute: 'a timer records the data of the status page, independently of calls',
  status_sample: 'the same',
  status_quarter: 'the same',
  status_incident: 'the same',
  status_incident_update: 'the same',
  repeated_call: 'a call claims its idempotency key, and releases it if it is refused',
  'INSERT used_nonce': 'a valid signature uses up its nonce, even if the call is refused',
  'DELETE passkey_challenge': 'a challenge is valid once, even if the response is wrong',
  'UPDATE staff_session':
    'likewise in the back office, which takes it out of the session, even if there is none',
  'UPDATE staff_session creation_at creation_challenge': 'the same',
  'UPDATE staff_session request_at request_challenge': 'the same',
  'UPDATE reconciliation_statement fault fault_line state':
    'a statement that cannot be read is kept, with what is wrong with it',
  'UPDATE session last_seen_at': 'a refused call counts as activity of its session',
  'UPDATE staff_session last_seen_at': 'likewise in the back office',
  'UPDATE app_user two_factor_last_step':
    'a code is valid once, even if the action that it was for is refused',
  'UPDATE session passkey_shown_at': 'a passkey check is used up by the first action that requires it',
};

/** Names the changes that a refused request must not make. */
export function wrongChanges(changes: readonly Change[]): string[] {
  const names = changes
    .filter(({ table }) => !(table in writtenByRefusals))
    .map(({ operation, table, columns }) => [operation, table, columns].filter(Boolean).join(' '));
  return [...new Set(names)].filter((name) => !(name in writtenByRefusals));
}

/** Installs triggers that record every row written to any table of the product and its job queue. */
export async function watchTables(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    await client.query(recordChanges);
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

const recordChanges = `
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
    values (
      (select relname from pg_class where oid = coalesce(pg_partition_root(tg_relid), tg_relid)), tg_op,
      (select string_agg(key, ' ' order by key) from jsonb_each(is_now) where tg_op = 'UPDATE'
        and value is distinct from was -> key),
      case tg_table_name when 'merchant' then coalesce(is_now, was) ->> 'id'
        else coalesce(is_now, was) ->> 'merchant_id' end,
      pg_current_xact_id());
    return null;
  end $$;`;

/** A cursor over the recorded changes. */
export class Changes {
  readonly #client: pg.Client;
  #seen = 0n;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Returns the changes since the previous call. */
  async takeNew(): Promise<Change[]> {
    const { rows } = await this.#client.query<Change & { id: string }>({
      name: 'take-new',
      text: `select id, table_name as table, operation, columns, merchant from torture.change where id > $1 order by id`,
      values: [String(this.#seen)],
    });
    this.#seen = BigInt(rows.at(-1)?.id ?? this.#seen);
    return rows;
  }
}
