import * as z from 'zod';
import { accountBreakdown, accountFigures } from '../account.ts';
import { collectionQuery, collectionRow } from '../collections.ts';
import { dailyReport, dailyTotals, listedDaysQuery } from '../daily-reports.ts';
import { dashboard, dashboardQuery } from '../dashboard.ts';
import { endpoint } from '../endpoint.ts';
import { fundFlowEndpoints, fundFlowQuery } from '../fund-flow.ts';
import { instant, listReply } from '../lists.ts';
import { currency } from '../money.ts';
import { payoutQuery, payoutRow } from '../payouts.ts';
import { settlementQuery, settlementRow } from '../settlements.ts';
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
    query: collectionQuery,
    reply: listReply(collectionRow),
  }),
  payouts: endpoint({
    ...seen,
    path: `${path}/payouts`,
    summary: 'Lists payouts, as the merchant sees them.',
    query: payoutQuery,
    reply: listReply(payoutRow),
  }),
  settlements: endpoint({
    ...seen,
    path: `${path}/settlements`,
    summary: 'Lists settlements, as the merchant sees them.',
    query: settlementQuery,
    reply: listReply(settlementRow),
  }),
  dailyReport: endpoint({
    ...seen,
    path: `${path}/daily-report`,
    summary: 'Lists the days of a range with their totals, as the merchant sees them.',
    query: listedDaysQuery,
    reply: z.object({ data: z.array(dailyReport), totals: dailyTotals, currency }),
  }),
};
