import * as z from 'zod';
import { accountBreakdown, accountFigures } from '../account.ts';
import { collectionDetail, collectionQuery, collectionRow } from '../collections.ts';
import { dailyReport, dailyTotals, listedDaysQuery } from '../daily-reports.ts';
import { dashboard, dashboardQuery } from '../dashboard.ts';
import { endpoint } from '../endpoint.ts';
import { fundFlowEndpoints, fundFlowQuery } from '../fund-flow.ts';
import { instant, listReply } from '../lists.ts';
import { currency } from '../money.ts';
import { payoutDetail, payoutQuery, payoutRow } from '../payouts.ts';
import { byNumber, settlementEndpoints, settlementQuery, settlementRow } from '../settlements.ts';
import { merchantReason, oneMerchant } from './merchants.ts';

/** For how long somebody sees what a merchant sees, once they have said why. */
export const lookMinutes = 30;

/** A look at what a merchant sees. */
export const merchantLook = z.object({
  merchant: z.object({ code: z.string(), name: z.string(), currency }),
  reason: z.string(),
  startedAt: instant,
  endsAt: instant,
});
export type MerchantLook = z.output<typeof merchantLook>;

/** A collection as the merchant sees it, without links that belong to people. */
export const collectionSeen = collectionDetail.omit({
  cashierUrl: true,
  canAsk: true,
  link: true,
  callbacks: true,
});
export type CollectionSeen = z.output<typeof collectionSeen>;

/** A payout as the merchant sees it, without the name of whoever submitted it. */
export const payoutSeen = payoutDetail.omit({ createdBy: true });
export type PayoutSeen = z.output<typeof payoutSeen>;

const oneOrder = oneMerchant.extend({ trade_no: z.string().max(64) });
const oneSettlement = oneMerchant.extend(byNumber.shape);

const path = '/api/staff/merchants/:code/look';
const look = { access: 'staff', staffPerm: 'merchants.see', params: oneMerchant, status: 200 } as const;
const seen = { ...look, method: 'GET', errors: ['not_found', 'look_needed'] } as const;

/** The pages that a person with the role MERCHANT_VIEWER sees in the console. There is no call that changes or exports anything. */
export const merchantLookEndpoints = {
  begin: endpoint({
    ...look,
    method: 'POST',
    path,
    summary: `Begins a look at what a merchant sees, for ${lookMinutes} minutes. The merchant is notified, and reads the reason in its audit log.`,
    body: merchantReason,
    reply: z.object({ data: merchantLook }),
    errors: ['not_found'],
  }),
  current: endpoint({
    ...look,
    method: 'GET',
    path,
    summary: 'Returns the look that the caller has begun and that has not ended; null if there is none.',
    reply: z.object({ data: merchantLook.nullable() }),
    errors: ['not_found'],
  }),
  account: endpoint({
    ...seen,
    path: `${path}/account`,
    summary: 'Returns the balances of a merchant and the orders that hold them, as the merchant sees them.',
    reply: z.object({ data: z.object({ figures: accountFigures, breakdown: accountBreakdown }) }),
  }),
  dashboard: endpoint({
    ...seen,
    path: `${path}/dashboard`,
    summary: 'Returns the figures of a period, as the merchant sees them.',
    query: dashboardQuery,
    reply: z.object({ data: dashboard }),
  }),
  fundFlow: endpoint({
    ...seen,
    path: `${path}/fund-flow`,
    summary: 'Lists the transactions of available funds, as the merchant sees them.',
    query: fundFlowQuery,
    reply: fundFlowEndpoints.list.reply,
    errors: [...seen.errors, 'too_many_requests'],
  }),
  collections: endpoint({
    ...seen,
    path: `${path}/collections`,
    summary: 'Lists collections, as the merchant sees them.',
    query: collectionQuery.omit({ link: true }),
    reply: listReply(collectionRow),
  }),
  collection: endpoint({
    ...seen,
    path: `${path}/collections/:trade_no`,
    summary: 'Returns a collection with its timeline, as the merchant sees it.',
    params: oneOrder,
    reply: z.object({ data: collectionSeen }),
  }),
  payouts: endpoint({
    ...seen,
    path: `${path}/payouts`,
    summary: 'Lists payouts, as the merchant sees them.',
    query: payoutQuery,
    reply: listReply(payoutRow),
  }),
  payout: endpoint({
    ...seen,
    path: `${path}/payouts/:trade_no`,
    summary: 'Returns a payout with its timeline, as the merchant sees it.',
    params: oneOrder,
    reply: z.object({ data: payoutSeen }),
  }),
  settlements: endpoint({
    ...seen,
    path: `${path}/settlements`,
    summary: 'Lists settlements, as the merchant sees them.',
    query: settlementQuery,
    reply: listReply(settlementRow),
  }),
  settlement: endpoint({
    ...seen,
    path: `${path}/settlements/:settlement_no`,
    summary: 'Returns a settlement, as the merchant sees it.',
    params: oneSettlement,
    reply: z.object({ data: settlementRow }),
  }),
  settlementLines: endpoint({
    ...seen,
    path: `${path}/settlements/:settlement_no/lines`,
    summary: 'Lists the payments and refunds of a settlement, as the merchant sees them.',
    params: oneSettlement,
    query: settlementEndpoints.lines.query,
    reply: settlementEndpoints.lines.reply,
  }),
  dailyReport: endpoint({
    ...seen,
    path: `${path}/daily-report`,
    summary: 'Lists the days of a range with their totals, as the merchant sees them.',
    query: listedDaysQuery,
    reply: z.object({ data: z.array(dailyReport), totals: dailyTotals, currency }),
  }),
};
