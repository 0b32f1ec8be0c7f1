import { quotas } from '@hengfu/contract/quotas';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';

/**
 * Gives a merchant `count` orders of every kind, many of which share a payee, account, bank, reference or wallet:
 * enough rows for realistic query plans. A payout has the bank, IFSC, account type and tax number of different channels. There are no postings, so checks of
 * the ledger fail.
 */
export async function fillWithOrders(database: Database, merchantId: bigint, count: number): Promise<void> {
  await database.asSystem(async (tx) => {
    for (const statement of fill(merchantId, count)) await statement.execute(tx.query);
  });
}

function fill(id: bigint, count: number) {
  const n = sql`from generate_series(1, ${count}) n`;
  const money = sql`'CNY', 100 + n`;
  const at = sql`now() - n * interval '1 minute'`;
  return [
    sql`insert into collection (merchant_id, trade_no, out_trade_no, request_hash, currency, amount_minor, cashier_token,
        bank_reference, created_at, expires_at)
      select ${id}, 'C' || ${id} || '-' || n, 'SHOP' || n, '', ${money}, 't' || ${id} || n,
        case when n % 2 = 0 then 'SAMEREF' else 'REF' || n end, ${at}, now() ${n}`,
    sql`insert into refund (merchant_id, refund_no, out_refund_no, bank_reference, request_hash, collection_id, status, currency,
        amount_minor, channel, requested_by, created_at, ended_at)
      select merchant_id, trade_no || '-R1', replace(out_trade_no, 'SHOP', 'BACK'), replace(out_trade_no, 'SHOP', 'BR'), '', id, case when id % 3 = 0 then 'requested' when id % 3 = 1 then 'processing'
        else 'refunded' end, currency, amount_minor, 'CN_BANK', 'user:1', created_at,
        case when id % 3 = 2 then created_at + interval '1 minute' end
      from collection where merchant_id = ${id}`,
    sql`insert into payment_link (merchant_id, link_no, token, title, currency, amount_minor, max_quantity, asked, is_on,
        created_by, created_at)
      select ${id}, 'L' || ${id} || '-' || n, 't' || ${id} || n, 'Course ' || n, ${money}, 1, '{"known": [], "own": []}', n % 2 = 0,
        'user:1', ${at} from generate_series(1, ${Math.min(count, quotas.linksOfMerchant)}) n`,
    sql`insert into payout (merchant_id, trade_no, out_trade_no, request_hash, currency, amount_minor, fee_minor, channel,
        payee, payee_account, account_key, bank, ifsc, account_type, tax_id, source, created_by,
        bank_reference, created_at)
      select ${id}, 'P' || ${id} || '-' || n, 'PAY' || n, '', ${money}, 0, 'CN_BANK',
        case when n % 2 = 0 then 'Same Name' else 'Nguyen ' || n end, n,
        'CN_BANK ICBC ' || case when n % 3 = 0 then 622200000000 else 622200000000 + n end, 'ICBC', 'SAME0000000',
        case when n % 2 = 0 then 'CPF' else 'EVP' end, case when n % 2 = 0 then '52998224725' else n::text end, 'console', 'user:1',
        case when n % 2 = 0 then 'SAMEREF' else 'REF' || n end, ${at} ${n}`,
    sql`insert into topup (merchant_id, trade_no, usdt_minor, currency, amount_minor, usdt_rate, network, address,
        transaction_id, created_by, created_at)
      select ${id}, 'T' || ${id} || '-' || n, 1, ${money}, 7, 'TRC20', 'TSame', md5(${id}::text || n), 'user:1', ${at} ${n}`,
    sql`insert into withdrawal (merchant_id, trade_no, request_hash, usdt_minor, fee_usdt_minor, currency, amount_minor,
        fee_minor, usdt_rate, network, address, created_by, created_at)
      select ${id}, 'W' || ${id} || '-' || n, '', 1, 0, ${money}, 0, 7, 'TRC20', 'TSame', 'user:1', ${at} ${n}`,
    sql`insert into settlement (merchant_id, settlement_no, currency, order_count, refund_count, amount_minor, fee_minor,
        refunded_minor, cut_off_at, created_at)
      select ${id}, 'S' || ${id} || '-' || n, 'CNY', 1, 0, 1, 0, 0, now(), ${at} ${n}`,
    sql`insert into approval_request (merchant_id, request_no, kind, subject_no, currency, amount_minor, counted_minor, target,
        requested_by, rules, created_at, expires_at, state, ended_at)
      select ${id}, 'A' || ${id} || '-' || n, case when n % 2 = 0 then 'payout' else 'withdrawal' end, 'R' || ${id} || '-' || n,
        ${money}, 100 + n, 'Same Name · ' || n, 'user:' || n % 5, '[{"approvers": 1, "roles": ["ROOT"], "people": []}]', ${at},
        now() + interval '1 day', case when n % 3 = 0 then 'refused' else 'waiting' end, case when n % 3 = 0 then now() end ${n}`,
    sql`insert into export_task (merchant_id, export_no, list, filters, columns, format, language, zone, file_name,
        status, reason, finished_at, created_by, created_at)
      select ${id}, 'E' || ${id} || '-' || n, 'payouts', '{}', '{}', 'csv', 'en', 'UTC', 'f', 'failed', 'cancelled', now(),
        'user:1', ${at} ${n}`,
    sql`insert into audit (merchant_id, actor, action, subject, at)
      select ${id}, case when n % 3 = 0 then 'user:' || n % 5 else 'key:ak' end,
        case when n % 3 <> 0 then 'payout.create' when n % 2 = 0 then 'ip_address.set' else 'session.sign_in' end,
        'P' || ${id} || '-' || n, now() - n * interval '1 second' ${n}`,
    sql`insert into payout_batch (merchant_id, batch_no, name, channel, currency, content_hash, row_count, amount_minor,
        fee_minor, created_by, created_at)
      select ${id}, 'B' || ${id} || '-' || n, 'f', 'CN_BANK', 'CNY', '', 1, 1, 0, 'user:1', ${at} ${n}`,
  ];
}
