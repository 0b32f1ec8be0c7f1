import * as z from 'zod';
import { keyStates } from '../access-keys.ts';
import { auditActions } from '../audit-log.ts';
import { channelCodes } from '../channels.ts';
import { endpoint } from '../endpoint.ts';
import { refundFees, refundFunds } from '../fees.ts';
import { keyScopes } from '../key-scopes.ts';
import { instant } from '../lists.ts';
import { merchantModes } from '../merchant-mode.ts';
import { amount, type Currency, currency } from '../money.ts';
import { phrase } from '../phrase.ts';
import { isZone } from '../profile.ts';
import { emailAddress } from '../session.ts';
import { memberStates } from '../team.ts';
import { requiredText, visibleText } from '../visible-text.ts';
import { merchantLimits, merchantSettlement } from './limits.ts';
import { placeKinds } from './today.ts';

/** Merchants that one page of the list shows. */
export const merchantsPerPage = 50;
/** The latest actions of our staff that are shown for a merchant. */
export const merchantActionsShown = 50;
export const merchantStates = ['active', 'suspended'] as const;

/** The currencies in which a merchant can keep its accounts. */
export const homeCurrencies = ['CNY', 'USD', 'INR', 'BRL', 'VND'] as const satisfies readonly Currency[];

/** A time of day, HH:MM. */
export const cutOffTime = z
  .string(phrase('officeMerchants.cutOffFault'))
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, phrase('officeMerchants.cutOffFault'));
const code = z
  .string(phrase('officeMerchants.codeFault'))
  .trim()
  .regex(/^[a-z][a-z0-9-]{1,31}$/, phrase('officeMerchants.codeFault'));
export const oneMerchant = z.object({ code: z.string().max(64) });
/** The ID of the request that now waits for a second person. */
export const askedReply = z.object({ data: z.object({ request: z.string() }) });
const rowId = z.string().regex(/^[1-9]\d{0,17}$/);
export const onePerson = oneMerchant.extend({ person_id: rowId });

const merchantRow = z.object({
  code: z.string(),
  name: z.string(),
  currency,
  mode: z.enum(merchantModes),
  state: z.enum(merchantStates),
});
export type MerchantRow = z.output<typeof merchantRow>;

/** A merchant with its facts and the balances of its ledger accounts. */
const merchantDetail = merchantRow.extend({
  zone: z.string(),
  createdAt: instant,
  requiresTwoFactor: z.boolean(),
  /** Null unless it is suspended. `by` is the name of the person or the operator. */
  suspension: z.object({ at: instant, reason: z.string(), by: z.string() }).nullable(),
  balances: z.array(z.object({ kind: z.enum(placeKinds), reference: z.string(), currency, balance: amount })),
});

/** Somebody who works for the merchant. */
const merchantPerson = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** Codes of the roles that every merchant has, and names of the merchant's own. */
  roles: z.array(z.string()),
  state: z.enum(memberStates),
  hasTwoFactor: z.boolean(),
  /** Whether wrong passwords or codes have locked the person out for now. */
  isLocked: z.boolean(),
  lastSignInAt: instant.nullable(),
  /** The reader has an enrollment code to hand over, and has not seen it yet. */
  hasCode: z.boolean(),
});
export type MerchantPerson = z.output<typeof merchantPerson>;

/** An invitation that nobody has used yet. */
const openInvitation = z.object({ email: z.string(), roles: z.array(z.string()), expiresAt: instant });

/** The link of an invitation, which is shown once. */
const invitationLink = z.object({ email: z.string(), url: z.string(), expiresAt: instant });
export type InvitationLink = z.output<typeof invitationLink>;

/** An access key, without its secret. */
const merchantKey = z.object({
  keyId: z.string(),
  name: z.string().nullable(),
  scopes: z.array(z.enum(keyScopes)),
  state: z.enum(keyStates),
  note: z.string().nullable(),
  createdAt: instant,
  /** When it ends or ended, or was revoked. */
  until: instant.nullable(),
});

/** The terms of a channel from an instant on. Fees in the channel's currency, rates in percent. */
const channelTerms = z.object({
  channel: z.enum(channelCodes),
  validFrom: instant,
  /** False once others have replaced it. */
  isInForce: z.boolean(),
  currency,
  collectionRate: z.string(),
  collectionFixed: amount,
  payoutRate: z.string(),
  payoutFixed: amount,
  refundFee: z.enum(refundFees),
  refundFunds: z.enum(refundFunds),
});

/** The terms of withdrawals from an instant on, in USDT. */
const withdrawalTerms = z.object({
  validFrom: instant,
  isInForce: z.boolean(),
  fee: amount,
  freePerDay: z.number().int(),
  minimum: amount,
});

const merchantNote = z.object({ id: z.string(), text: z.string(), by: z.string(), at: instant });

/** One action of our staff or of an operator, as the audit trail has it. */
const merchantAction = z.object({
  id: z.string(),
  at: instant,
  /** The name of the person or the operator. */
  by: z.string(),
  action: z.enum(auditActions),
  /** The email address of the person whom it concerns, or another subject. */
  subject: z.string().nullable(),
  reason: z.string().nullable(),
});

/** The form that creates a merchant, with the email address of its first owner. */
export const newMerchant = z.strictObject({
  code,
  name: visibleText('officeMerchants.nameMissing', 100),
  currency: z.enum(homeCurrencies, phrase('validation.currency')),
  zone: z.string(phrase('validation.choice')).max(64).refine(isZone, phrase('validation.choice')),
  cutOff: cutOffTime,
  email: emailAddress,
});
export type NewMerchantInput = z.output<typeof newMerchant>;

/** Body of a suspension: the reason, which merchants don't see. */
export const merchantReason = z.strictObject({ reason: visibleText('validation.reasonRequired', 300) });

/** Body of a note. */
export const newMerchantNote = z.strictObject({
  text: requiredText('officeMerchants.noteMissing', 2000),
});

const reading = { method: 'GET', access: 'staff', staffPerm: 'merchants.read', status: 200 } as const;
const supporting = { method: 'POST', access: 'staff', staffPerm: 'merchants.support', status: 204 } as const;

export const staffMerchantEndpoints = {
  list: endpoint({
    ...reading,
    path: '/api/staff/merchants',
    summary: `Lists merchants by code, ${merchantsPerPage} at a time.`,
    query: z.strictObject({
      /** Part of the code or the name. */
      search: z.string().trim().max(100).optional(),
      state: z.enum(merchantStates).optional(),
      mode: z.enum(merchantModes).optional(),
      currency: z.enum(homeCurrencies).optional(),
      /** The code after which the page begins. */
      after: z.string().max(64).optional(),
    }),
    reply: z.object({ data: z.object({ merchants: z.array(merchantRow), next: z.string().nullable() }) }),
    errors: [],
  }),
  get: endpoint({
    ...reading,
    path: '/api/staff/merchants/:code',
    summary: 'Returns a merchant with its balances.',
    params: oneMerchant,
    reply: z.object({ data: merchantDetail }),
    errors: ['not_found'],
  }),
  people: endpoint({
    ...reading,
    path: '/api/staff/merchants/:code/people',
    summary: 'Lists the people of a merchant and its open invitations.',
    params: oneMerchant,
    reply: z.object({
      data: z.object({ people: z.array(merchantPerson), invitations: z.array(openInvitation) }),
    }),
    errors: ['not_found'],
  }),
  access: endpoint({
    ...reading,
    path: '/api/staff/merchants/:code/access',
    summary:
      'Returns the access keys of a merchant without secrets, its IP whitelist, and who called lately.',
    params: oneMerchant,
    reply: z.object({
      data: z.object({
        keys: z.array(merchantKey),
        whitelist: z.array(z.string()),
        /** Addresses of signed calls in the last seven days, busiest first. */
        callers: z.array(z.object({ address: z.string(), calls: z.string(), lastDay: z.string() })),
      }),
    }),
    errors: ['not_found'],
  }),
  terms: endpoint({
    ...reading,
    path: '/api/staff/merchants/:code/terms',
    summary:
      'Returns every version of a merchant’s terms, the newest first, its settlement cycle with all versions, and its limits.',
    params: oneMerchant,
    reply: z.object({
      data: z.object({
        channels: z.array(channelTerms),
        withdrawals: z.array(withdrawalTerms),
        settlement: merchantSettlement,
        limits: merchantLimits,
        currency,
      }),
    }),
    errors: ['not_found'],
  }),
  notes: endpoint({
    ...reading,
    path: '/api/staff/merchants/:code/notes',
    summary: 'Lists the latest notes about a merchant, at most 200.',
    params: oneMerchant,
    reply: z.object({ data: z.array(merchantNote) }),
    errors: ['not_found'],
  }),
  addNote: endpoint({
    method: 'POST',
    path: '/api/staff/merchants/:code/notes',
    summary: 'Adds a note about a merchant, which can be neither changed nor deleted.',
    access: 'staff',
    staffPerm: 'merchants.note',
    params: oneMerchant,
    body: newMerchantNote,
    status: 204,
    errors: ['not_found'],
  }),
  actions: endpoint({
    ...reading,
    path: '/api/staff/merchants/:code/actions',
    summary: `Lists the latest ${merchantActionsShown} actions of reviewers, support and operators that concern a merchant.`,
    params: oneMerchant,
    reply: z.object({ data: z.array(merchantAction) }),
    errors: ['not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/staff/merchants',
    summary: 'Creates a merchant, and an invitation for its owner.',
    access: 'staff',
    staffPerm: 'merchants.create',
    body: newMerchant,
    status: 201,
    reply: z.object({ data: z.object({ code: z.string(), invitation: invitationLink }) }),
    errors: ['conflict'],
  }),
  inviteOwner: endpoint({
    method: 'POST',
    path: '/api/staff/merchants/:code/owner-invitation',
    summary: 'Makes a new link for the owner of a merchant that has nobody yet.',
    access: 'staff',
    staffPerm: 'merchants.create',
    params: oneMerchant,
    body: z.strictObject({ email: emailAddress }),
    status: 200,
    reply: z.object({ data: invitationLink }),
    errors: ['not_found', 'conflict'],
  }),
  unlock: endpoint({
    ...supporting,
    path: '/api/staff/merchants/:code/people/:person_id/unlock',
    summary: 'Unlocks the account of a merchant’s person after too many incorrect passwords or codes.',
    params: onePerson,
    errors: ['not_found', 'too_many_attempts'],
  }),
  signOut: endpoint({
    ...supporting,
    path: '/api/staff/merchants/:code/people/:person_id/sign-out',
    summary: 'Ends every session of a merchant’s person.',
    params: onePerson,
    errors: ['not_found'],
  }),
};
