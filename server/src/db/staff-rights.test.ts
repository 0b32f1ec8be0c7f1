import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { testKey } from '../testing/test-database.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { TestStaff } from '../testing/test-staff.ts';
import { loginOf, urlAs } from './login.ts';

let product: TestProduct;
let staff: TestStaff;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, hasOnePlacement: true });
  staff = await TestStaff.start(product);
  merchant = await product.merchant('mine');
  for (const each of [merchant, await product.merchant('theirs')]) {
    await product.person(each);
    await each.program.create('order', { channel: 'CN_BANK' });
  }
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

/** Everything that `hengfu_staff` and `hengfu_accounts` may do, by table or view. Whatever is not listed is refused. */
const allowed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  hengfu_staff: {
    access_event: 'INSERT SELECT(action at merchant_id user_id)',
    access_key: 'SELECT(created_at disabled_at ends_at key_id merchant_id name note revoked_at scopes)',
    announcement:
      'SELECT INSERT(ends_at kind merchants starts_at text_en text_vi text_zh_cn) UPDATE(changed_at ended_at ends_at kind merchants starts_at text_en text_vi text_zh_cn)',
    app_user:
      'SELECT(disabled_at email id last_merchant_id name two_factor_confirmed_at) UPDATE(recovery_codes two_factor_confirmed_at two_factor_last_step two_factor_secret)',
    approval_request: 'SELECT(id kind merchant_id state subject_no) UPDATE(ended_at ended_by reason state)',
    archived_entry_sum: 'SELECT',
    archived_month: 'SELECT',
    archived_part:
      'SELECT(first_key last_key length_bytes merchant_id month number offset_bytes sha256 table_name)',
    audit: 'INSERT SELECT(action actor after at before id merchant_id subject)',
    audit_root: 'SELECT',
    backup_record: 'SELECT',
    callback_attempt: 'SELECT',
    callback_endpoint: 'SELECT(id merchant_id state)',
    callback_message:
      'SELECT UPDATE(attempts_before delivered_at given_up_at is_skipped resent_at retried_from)',
    case_claim: 'DELETE INSERT SELECT UPDATE',
    chain_transaction: 'DELETE INSERT SELECT',
    channel: 'SELECT UPDATE(collection_open payout_open)',
    channel_minute: 'SELECT(channel is_paid kind minute orders)',
    collection: 'SELECT',
    collection_event: 'SELECT',
    contact_way: 'DELETE INSERT SELECT UPDATE(note_en note_vi note_zh_cn)',
    deposit_wallet: 'INSERT SELECT',
    enrolment_code: 'INSERT(code_hash expires_at user_id) SELECT(user_id) UPDATE(code_hash expires_at)',
    exchange_rate: 'INSERT SELECT',
    invitation:
      'INSERT(email expires_at invited_by merchant_id roles token_hash) SELECT(accepted_at approval_state created_at email expires_at id invited_by merchant_id revoked_at roles) UPDATE(expires_at invited_by token_hash)',
    ledger_account: 'SELECT',
    ledger_entry: 'SELECT',
    ledger_proof: 'SELECT',
    ledger_transfer: 'SELECT',
    membership: 'SELECT',
    merchant:
      'INSERT(code home_currency name next_settlement_at settlement_cut_off zone) SELECT(allowed_addresses code collection_limit_minor created_at home_currency id mode name next_settlement_at payout_day_limit_minor payout_limit_minor requires_two_factor settlement_cut_off settlement_cycle settlement_weekday suspended_at suspended_by suspension_reason withdrawal_day_limit_minor zone) UPDATE(collection_limit_minor payout_day_limit_minor payout_limit_minor settlement_cut_off settlement_cycle settlement_weekday suspended_at suspended_by suspension_reason withdrawal_day_limit_minor)',
    merchant_note: 'INSERT SELECT',
    merchant_terms: 'INSERT SELECT',
    notice: 'INSERT',
    order_outcome_day: 'SELECT',
    order_rollup: 'SELECT',
    order_rollup_closing: 'SELECT',
    order_rollup_day: 'SELECT',
    order_rollup_period: 'SELECT',
    own_role: 'SELECT(code merchant_id name perms retired_at)',
    passkey: 'DELETE SELECT(user_id)',
    past_settlement_cycle: 'INSERT SELECT',
    payout: 'SELECT',
    payout_batch: 'SELECT(batch_no finished_at id merchant_id)',
    payout_contradiction: 'SELECT UPDATE(note settled_at settled_by)',
    payout_event: 'SELECT',
    payout_party: 'SELECT',
    pending_sign_in: 'DELETE SELECT(user_id)',
    reconciliation_difference: 'DELETE INSERT SELECT UPDATE',
    reconciliation_line: 'DELETE INSERT SELECT',
    reconciliation_mapping: 'INSERT SELECT UPDATE',
    reconciliation_statement: 'DELETE INSERT SELECT UPDATE',
    refund: 'SELECT',
    session: 'DELETE SELECT(merchant_id user_id)',
    settlement: 'SELECT',
    sign_in_throttle: 'DELETE SELECT(blocked_until key)',
    signed_call_count: 'SELECT',
    staff_alert: 'INSERT SELECT',
    staff_alert_count: 'SELECT',
    staff_alert_refused: 'INSERT SELECT',
    staff_alert_seen: 'INSERT SELECT',
    staff_alone: 'SELECT INSERT(about_merchant actor kind usdt_minor)',
    staff_audit: 'SELECT',
    staff_balance: 'SELECT',
    staff_case_claim: 'SELECT',
    staff_channel_hour: 'SELECT',
    staff_code_handover: 'DELETE INSERT SELECT UPDATE(about_merchant expires_at reader sealed)',
    staff_collection: 'SELECT',
    staff_contradicted_payout: 'SELECT',
    staff_evidence:
      'DELETE SELECT INSERT(content name sha256 subject type uploaded_by) UPDATE(kept_at request_id)',
    staff_factor_rule: 'SELECT',
    staff_handover: 'DELETE SELECT UPDATE(sealed)',
    staff_look: 'SELECT INSERT(about_merchant ends_at reason staff_id)',
    staff_merchant: 'SELECT',
    staff_merchant_job: 'SELECT',
    staff_order_fee: 'SELECT',
    staff_passkey:
      'DELETE SELECT INSERT(credential_id name public_key sign_count staff_id transports) UPDATE(last_used_at sign_count)',
    staff_payout: 'SELECT',
    staff_payout_outcome: 'SELECT',
    staff_payout_party: 'SELECT',
    staff_permit: 'DELETE INSERT SELECT',
    staff_person: 'SELECT',
    staff_refund: 'SELECT',
    staff_request:
      'SELECT INSERT(about_merchant change expires_at facts kind reason requested_by subject) UPDATE(end_reason ended_at ended_by state)',
    staff_session: 'DELETE INSERT SELECT UPDATE',
    staff_setting: 'SELECT INSERT(name usdt_minor) UPDATE(changed_at usdt_minor)',
    staff_throttle: 'DELETE INSERT SELECT UPDATE',
    staff_topup: 'SELECT',
    staff_topup_image: 'SELECT',
    staff_unmatched: 'SELECT',
    staff_user: 'SELECT UPDATE(factor_secret factor_step language signed_in_at)',
    staff_waiting: 'SELECT',
    staff_waiting_count: 'SELECT',
    staff_waiting_elsewhere: 'SELECT',
    staff_waiting_request: 'SELECT',
    staff_withdrawal: 'SELECT',
    status_incident: 'INSERT SELECT UPDATE(end_reason ended_at)',
    status_incident_update: 'INSERT SELECT',
    topup:
      'SELECT UPDATE(amount_minor arrived_usdt_minor paid_at reject_reason reviewed_at status usd_minor)',
    topup_image: 'SELECT',
    withdrawal: 'SELECT UPDATE(approval_state paid_at reject_reason reviewed_at status transaction_id)',
    withdrawal_terms: 'INSERT SELECT',
  },
  hengfu_accounts: {
    audit: 'INSERT',
    staff_handover: 'DELETE INSERT SELECT(staff_id)',
    staff_merchant: 'SELECT(code mode)',
    staff_passkey: 'DELETE SELECT(staff_id)',
    staff_request: 'SELECT UPDATE(end_reason ended_at ended_by state)',
    staff_session: 'DELETE SELECT(id id_hash staff_id)',
    staff_throttle: 'DELETE SELECT(key)',
    staff_user: 'INSERT SELECT UPDATE',
  },
};

it.each(Object.entries(allowed))('%s has exactly the listed rights', async (role, listed) => {
  const rights = await asOwner(product.ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string; rights: string }>(
      `
      select c.relname as name, trim(concat_ws(' ',
        (select string_agg(p, ' ' order by p) from unnest(array['DELETE', 'INSERT', 'SELECT', 'TRUNCATE', 'UPDATE', 'TRIGGER', 'REFERENCES']) p
          where has_table_privilege($1, c.oid, p)),
        (select string_agg(p || '(' || columns || ')', ' ' order by p) from (
          select p, string_agg(a.attname, ' ' order by a.attname) as columns
          from unnest(array['INSERT', 'SELECT', 'UPDATE', 'REFERENCES']) p, pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            and has_column_privilege($1, c.oid, a.attnum, p) and not has_table_privilege($1, c.oid, p)
          group by p) of_columns))) as rights
      from pg_class c where c.relkind in ('r', 'p', 'v', 'm') and c.relnamespace not in
        ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      order by 1`,
      [role],
    );
    return rows.filter(({ rights }) => rights !== '');
  });
  expect(Object.fromEntries(rights.map(({ name, rights }) => [name, rights]))).toEqual(listed);
});

/** The functions that `hengfu_staff` and `hengfu_accounts` may call besides those that everybody may, and that run with other rights than theirs. */
const callable: Readonly<Record<string, readonly string[]>> = {
  hengfu_staff: [
    'enqueue_job',
    'follow_live',
    'is_payment_asked',
    'is_test_merchant',
    'ledger_post',
    'staff_clearing_day',
    'staff_clearing_of',
    'staff_money',
    'staff_own_jobs',
    'with_twin',
  ],
  hengfu_accounts: [],
};

it.each(Object.entries(callable))('%s may call exactly the listed functions', async (role, listed) => {
  const names = await asOwner(product.ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `
      select distinct case n.nspname when 'public' then p.proname else n.nspname || '.' || p.proname end as name
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname not in ('pg_catalog', 'information_schema') and p.prorettype <> 'trigger'::regtype
        and has_schema_privilege($1, n.oid, 'USAGE') and has_function_privilege($1, p.oid, 'EXECUTE')
        and (p.prosecdef or not has_function_privilege('public', p.oid, 'EXECUTE'))
      order by 1`,
      [role],
    );
    return rows.map(({ name }) => name);
  });
  expect(names).toEqual(listed);
});

it('the login of the back office can take no other role, and the application’s cannot take its', async () => {
  const key = Buffer.from(testKey, 'hex');
  const [ours, theirs, operators] = [loginOf(key, 'staff'), loginOf(key), loginOf(key, 'accounts')];
  for (const [login, role] of [
    [ours, 'hengfu_app'],
    [ours, 'hengfu_system'],
    [ours, 'hengfu_overview'],
    [ours, 'hengfu_ledger'],
    [ours, 'hengfu_accounts'],
    [theirs, 'hengfu_accounts'],
    [operators, 'hengfu_staff'],
    [operators, 'hengfu_app'],
    [operators, 'hengfu_system'],
    [theirs, 'hengfu_staff'],
    [theirs, 'hengfu_overview'],
  ] as const) {
    const client = new pg.Client({ connectionString: urlAs(product.ownerUrl, login) });
    await client.connect();
    await expect(client.query(`set role ${role}`), role).rejects.toThrow('permission denied');
    await client.end();
  }
});

it('hengfu_overview writes nothing, and merchants’ roles read no table of our staff', async () => {
  const { rows } = await asOwner(product.ownerUrl, (client) =>
    client.query(`
      select c.relname as name, r.role from pg_class c, unnest(array['hengfu_overview', 'hengfu_app', 'hengfu_system']) as r (role)
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and (
        (r.role = 'hengfu_overview' and has_any_column_privilege(r.role, c.oid, 'INSERT, UPDATE'))
        or (r.role = 'hengfu_overview' and has_table_privilege(r.role, c.oid, 'DELETE, TRUNCATE'))
        or (r.role <> 'hengfu_overview' and c.relname like 'staff\\_%' and has_any_column_privilege(r.role, c.oid, 'SELECT, INSERT, UPDATE')))`),
  );
  expect(rows).toEqual([]);
});

it('a transaction sees the rows of the merchant that it names, and of no other', async () => {
  const { database } = staff.runtime;
  for (const table of [
    'topup',
    'topup_image',
    'chain_transaction',
    'case_claim',
    'withdrawal',
    'merchant',
    'merchant_note',
    'merchant_terms',
    'withdrawal_terms',
    'membership',
    'app_user',
    'own_role',
    'invitation',
    'session',
    'pending_sign_in',
    'passkey',
    'access_event',
    'access_key',
    'signed_call_count',
    'audit',
    'payout_batch',
    'payout',
    'payout_contradiction',
    'payout_event',
    'payout_party',
    'collection',
    'collection_event',
    'callback_message',
    'callback_attempt',
    'ledger_transfer',
    'ledger_account',
    'ledger_entry',
    'settlement',
    'past_settlement_cycle',
    'order_rollup',
    'order_rollup_day',
    'order_outcome_day',
    'order_rollup_period',
    'order_rollup_closing',
    'archived_entry_sum',
    'refund',
    'withdrawal',
    'merchant',
  ]) {
    const none = await database.asSystem((tx) =>
      sql<{ count: bigint }>`select count(*) from ${sql.table(table)}`.execute(tx.query),
    );
    expect([table, none.rows[0]?.count]).toEqual([table, 0n]);
  }
  const foreign = database.asMerchant(merchant.id, (tx) =>
    sql`insert into audit (merchant_id, actor, action) values (${merchant.id + 1n}, 'staff:1', 'topup.paid')`.execute(
      tx.query,
    ),
  );
  await expect(foreign).rejects.toThrow('row-level security');
});

it('of people, the back office reads no secret, and sees only those of the merchant that it names', async () => {
  const { database } = staff.runtime;
  const asMine = (statement: string) =>
    database.asMerchant(merchant.id, (tx) => sql<{ email: string }>`${sql.raw(statement)}`.execute(tx.query));
  for (const column of ['password_hash', 'payment_password_hash', 'two_factor_secret', 'recovery_codes'])
    await expect(asMine(`select ${column} from app_user`), column).rejects.toThrow('permission denied');
  for (const statement of [
    'select id_hash from session',
    'select secret_encrypted from access_key',
    'select token_hash from invitation',
  ])
    await expect(asMine(statement), statement).rejects.toThrow('permission denied');
  const { rows } = await asMine('select email from app_user');
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ email }) => !email.endsWith('@mine.test'))).toEqual([]);
  // Second factors can be taken away, never given.
  await expect(
    asMine(`update app_user set two_factor_secret = 'x', two_factor_confirmed_at = now()`),
  ).rejects.toThrow('row-level security');
  // Of the audit trail, only what our staff and operators did.
  const { rows: actors } = await asMine(`select actor as email from audit where actor not like 'operator:%'`);
  expect(actors).toEqual([]);
});
