import type { ChannelRefusal, PayoutRefusal } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import { type PayoutFields, plainAccount } from '@hengfu/contract/payout-fields';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** A demo payout before it is written. Times in milliseconds since 1970. */
export interface DemoPayout
  extends Pick<PayoutFields, 'payee' | 'payeeAccount' | 'bank' | 'bankName' | 'branchName'> {
  amountMinor: bigint;
  createdAt: number;
  endedAt: number;
  refused: ChannelRefusal<PayoutRefusal> | null;
}

/**
 * Inserts a day's payouts in their final state, with timelines, in one statement. Returns their
 * ids; {@link postDay} writes the postings.
 */
export async function insertPayoutDay(
  tx: MerchantTx,
  orders: readonly DemoPayout[],
  of: { currency: Currency; channel: 'CN_BANK' | 'VN_NAPAS'; by: string },
): Promise<bigint[]> {
  const json = JSON.stringify(
    orders.map(({ refused, ...order }) => ({
      ...order,
      rejectCode: refused?.code ?? null,
      rejectReason: refused?.words ?? null,
      amountMinor: String(order.amountMinor),
      accountKey: [of.channel, order.bank ?? '', plainAccount({ ...order, channel: of.channel })].join(' '),
    })),
  );
  const { rows } = await sql<{ id: bigint }>`
    with given as (
      select o.*, moment.*, terms.payout_rate_ppm, terms.payout_fixed_minor
      from jsonb_to_recordset(${json}::jsonb) as o (payee text, "payeeAccount" text, "accountKey" text, bank text,
        "bankName" text, "branchName" text, "amountMinor" bigint, "createdAt" bigint, "endedAt" bigint, "rejectCode" text,
        "rejectReason" text)
      cross join lateral (select to_timestamp("createdAt" / 1000.0) as created, to_timestamp("endedAt" / 1000.0) as ended) moment
      cross join lateral terms_at(${tx.merchantId}, ${of.channel}, created) terms
    ), added as (
      insert into payout (merchant_id, trade_no, request_hash, status, currency, amount_minor, fee_minor, channel, payee,
        payee_account, account_key, bank, bank_name, branch_name, source, created_by, bank_reference, reject_code, reject_reason,
        created_at, sent_at, paid_at, rejected_at)
      select ${tx.merchantId}::bigint, new_trade_no('P', ${tx.merchantId}, created), sha256(convert_to("accountKey" || "createdAt", 'UTF8')),
        case when "rejectCode" is null then 'processed' else 'rejected' end, ${of.currency}, "amountMinor",
        order_fee("amountMinor", payout_rate_ppm, payout_fixed_minor), ${of.channel}, payee,
        "payeeAccount", "accountKey", bank, "bankName", "branchName", 'console', ${of.by},
        'BP' || substr(md5("accountKey" || "createdAt"), 1, 14), "rejectCode", "rejectReason", created, created + interval '1 second',
        case when "rejectCode" is null then ended end, case when "rejectCode" is not null then ended end
      from given
      returning *
    ), told as (
      insert into payout_event (merchant_id, payout_id, at, status, reason, refusal, detail)
      select merchant_id, id, created_at, 'pending', 'created', null, null from added
      union all
      select merchant_id, id, sent_at, 'pendingSettlement', 'sent', null, null from added
      union all
      select merchant_id, id, coalesce(paid_at, rejected_at), status,
        case status when 'processed' then 'channel_paid' else 'channel_refused' end, reject_code, reject_reason
      from added
    )
    select id from added`.execute(tx.query);
  return rows.map(({ id }) => id);
}

/** Selects the legs of payouts for {@link postSeries}: each hold, payment and refund at its time. */
export function payoutLegs(merchantId: bigint, ids: readonly bigint[]): RawBuilder<unknown> {
  return sql`
    select step.type || ':' || p.trade_no, step.type, p.trade_no, step.at, step.kind, step.reference, step.amount
    from unnest(${[...ids]}::bigint[]) chosen (id)
    join payout p on p.merchant_id = ${merchantId} and p.id = chosen.id
    cross join lateral (values
      ('payout_deduction', p.created_at, 'available', '', -(p.amount_minor + p.fee_minor)),
      ('payout_deduction', p.created_at, 'locked', '', p.amount_minor + p.fee_minor),
      ('payout_payment', p.paid_at, 'locked', '', -(p.amount_minor + p.fee_minor)),
      ('payout_payment', p.paid_at, 'clearing', p.channel, p.amount_minor),
      ('payout_payment', p.paid_at, 'fees', '', p.fee_minor),
      ('payout_refund', p.rejected_at, 'locked', '', -(p.amount_minor + p.fee_minor)),
      ('payout_refund', p.rejected_at, 'available', '', p.amount_minor + p.fee_minor)
    ) step (type, at, kind, reference, amount)
    where step.at is not null`;
}

/** Finds the user who submits a merchant's demo payouts, as `user:<id>`. */
export async function applicantOf(tx: MerchantTx): Promise<string> {
  const row = await tx.query
    .selectFrom('membership')
    .select('user_id')
    .where('merchant_id', '=', tx.merchantId)
    .orderBy('user_id')
    .executeTakeFirstOrThrow();
  return `user:${row.user_id}`;
}
