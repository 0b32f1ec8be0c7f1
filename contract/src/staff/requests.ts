import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant } from '../lists.ts';
import { requiredText } from '../visible-text.ts';
import { staffProof } from './passkeys.ts';
import type { StaffPerm } from './permissions.ts';

/** Actions that need a second person, each with the permission that both of the two have to hold. */
export const fourEyes = {
  /** Crediting a top-up above an amount. */
  topupCredit: 'topupReviews.credit',
  /** Paying a withdrawal above an amount. */
  withdrawalPayment: 'withdrawalReviews.pay',
  /** Ending the suspension of a merchant. */
  merchantReactivation: 'merchants.suspend',
  /** The fees of a merchant for a channel. */
  channelTerms: 'merchants.terms',
  /** The terms on which a merchant withdraws. */
  withdrawalTerms: 'merchants.terms',
  /** The limits of a merchant. */
  merchantLimits: 'merchants.terms',
  /** When a merchant settles. */
  settlementCycle: 'merchants.terms',
  /** Deciding the unknown outcome of a payout by the bank's statement. */
  payoutOutcome: 'orders.decide',
  /** A posting that makes a clearing account agree with a statement. */
  adjustment: 'reconciliation.write',
  /** The price of one USDT in a currency. */
  exchangeRate: 'rates.set',
  /** The wallet that merchants send USDT to on a network. */
  depositWallet: 'wallets.set',
  /** Adding and changing an account of our staff. */
  staffAccount: 'staff.manage',
  /** Moving funds from one merchant to another, by an operator. */
  fundsTransfer: 'funds.transfer',
  /** Giving people or systems access to a merchant, by an operator. */
  merchantAccess: 'merchants.access',
  /** Removing the second factor of a merchant's person. */
  factorReset: 'merchants.factors',
  /** The contact page of all merchants. */
  contactPage: 'contact.set',
  /** Announcements of the service to merchants. */
  announcement: 'announcements.write',
} as const satisfies Record<string, StaffPerm>;
export type StaffRequestKind = keyof typeof fourEyes;
export const staffRequestKinds = Object.keys(fourEyes) as [StaffRequestKind, ...StaffRequestKind[]];

/** The states of a request. It waits for three days. */
export const staffRequestStates = ['waiting', 'approved', 'refused', 'withdrawn', 'expired'] as const;
export type StaffRequestState = (typeof staffRequestStates)[number];
export const staffRequestDays = 3;

/** The names of the facts of a request. */
export const requestFactNames = [
  'amount',
  'usdt',
  'network',
  'address',
  'transaction',
  'arrived',
  'suspension',
  'channel',
  'collectionFee',
  'payoutFee',
  'feesYesterday',
  'refundFee',
  'refundFunds',
  'withdrawalFee',
  'freePerDay',
  'minimum',
  'payoutLimit',
  'payoutDayLimit',
  'withdrawalDayLimit',
  'collectionLimit',
  'settlementCycle',
  'cutOff',
  'payee',
  'account',
  'outcome',
  'bankReference',
  'day',
  'reference',
  'moved',
  'rate',
  'isOpen',
  'accountChange',
  'name',
  'roles',
  'permissions',
  'description',
  'idempotencyKey',
  'fromMerchant',
  'toMerchant',
  'command',
  'person',
  'allowedAddresses',
  'scopes',
  'expiresAt',
  'rules',
  'contact',
  'note',
  'noteZhCn',
  'noteVi',
  'announcementKind',
  'text',
  'textZhCn',
  'textVi',
  'startsAt',
  'endsAt',
  'merchants',
] as const;

/** One fact that the second person reads: as it is, and as it will be; null where there is nothing. */
export const requestFact = z.object({
  name: z.enum(requestFactNames),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type RequestFact = z.output<typeof requestFact>;

export const staffRequest = z.object({
  id: z.string(),
  kind: z.enum(staffRequestKinds),
  state: z.enum(staffRequestStates),
  merchant: z.object({ code: z.string(), name: z.string() }).nullable(),
  /** The order, the person or the setting. */
  subject: z.string(),
  facts: z.array(requestFact),
  reason: z.string(),
  /** The name of the person, or `operator:<name>`. */
  requestedBy: z.string(),
  /** Null for an operator: names alone can be like each other. */
  requestedByEmail: z.string().nullable(),
  isOwn: z.boolean(),
  /** Whether the person who reads it may decide it. */
  mayDecide: z.boolean(),
  createdAt: instant,
  expiresAt: instant,
  endedAt: instant.nullable(),
  endedBy: z.string().nullable(),
  endedByEmail: z.string().nullable(),
  endReason: z.string().nullable(),
});
export type StaffRequest = z.output<typeof staffRequest>;

/** Something that an operator did without a second person. */
export const staffAlert = z.object({
  id: z.string(),
  kind: z.enum(staffRequestKinds),
  actor: z.string(),
  subject: z.string(),
  reason: z.string(),
  at: instant,
  /** The command was refused after the alert. */
  isRefused: z.boolean(),
});
export type StaffAlert = z.output<typeof staffAlert>;

const rowId = z.string().regex(/^[1-9]\d{0,17}$/);
const oneRequest = z.object({ request_id: rowId });
const reason = requiredText('validation.reasonRequired', 300, 'validation.reasonLength');

/** Body of an approval: a code of the authenticator app, or a passkey, which everybody needs who has one. */
export const approveStaffRequest = staffProof.strict();
export const refuseStaffRequest = z.strictObject({ reason });

export const staffRequestEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/staff/requests',
    summary: 'Lists requests in one state, newest first, 50 at a time.',
    access: 'staff',
    staffPerm: 'requests.read',
    query: z.object({ state: z.enum(staffRequestStates).default('waiting'), before: rowId.optional() }),
    status: 200,
    reply: z.object({ data: z.array(staffRequest) }),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/staff/requests/:request_id',
    summary: 'Returns one request.',
    access: 'staff',
    staffPerm: 'requests.read',
    params: oneRequest,
    status: 200,
    reply: z.object({ data: staffRequest }),
    errors: ['not_found'],
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/staff/requests/:request_id/approve',
    summary:
      'Approves a request, and does what it asks for. Never by the person who asked, and only with the permission that asking needed.',
    access: 'staff',
    staffPerm: 'requests.read',
    params: oneRequest,
    body: approveStaffRequest,
    status: 200,
    reply: z.object({ data: staffRequest }),
    errors: [
      'not_found',
      'forbidden',
      'own_request',
      'invalid_transition',
      'conflict',
      'account_active',
      'account_disabled',
      'roles_unchanged',
      'last_admin',
      'approval_changed',
      'case_taken',
      'day_closed',
      'day_running',
      'merchant_suspended',
      'too_many_attempts',
    ],
  }),
  refuse: endpoint({
    method: 'POST',
    path: '/api/staff/requests/:request_id/refuse',
    summary: 'Refuses a request with a reason.',
    access: 'staff',
    staffPerm: 'requests.read',
    params: oneRequest,
    body: refuseStaffRequest,
    status: 200,
    reply: z.object({ data: staffRequest }),
    errors: ['not_found', 'forbidden', 'own_request', 'invalid_transition'],
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/api/staff/requests/:request_id/withdraw',
    summary: 'Withdraws the person’s own request.',
    access: 'staff',
    staffPerm: 'requests.read',
    params: oneRequest,
    status: 200,
    reply: z.object({ data: staffRequest }),
    errors: ['not_found', 'forbidden', 'invalid_transition'],
  }),
  alerts: endpoint({
    method: 'GET',
    path: '/api/staff/alerts',
    summary:
      'Lists what was done without a second person and the caller has not confirmed to have read, newest first.',
    access: 'staff',
    staffPerm: 'requests.read',
    status: 200,
    reply: z.object({ data: z.array(staffAlert) }),
    errors: [],
  }),
  readAlert: endpoint({
    method: 'PUT',
    path: '/api/staff/alerts/:alert_id/read',
    summary: 'Confirms that the caller has read an alert.',
    access: 'staff',
    staffPerm: 'requests.read',
    params: z.object({ alert_id: rowId }),
    status: 204,
    errors: ['not_found'],
  }),
};
