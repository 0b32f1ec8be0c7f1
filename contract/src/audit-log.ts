import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { instant, listQuery, listReply, oneOrMore, textFilter } from './lists.ts';

/** Everything that is recorded of a merchant: what was done, as the audit trail has it. */
export const recordedActions = [
  'session.sign_in',
  'session.sign_out',
  'session.switch',
  'session.lock',
  'session.end',
  'session.end_others',
  'profile.update',
  'email.change',
  'password.change',
  'password.confirm',
  'two_factor.enable',
  'two_factor.on',
  'two_factor.off',
  'two_factor.codes_renewed',
  'passkey.add',
  'passkey.remove',
  'payment_password.set',
  'user.create',
  'user.unlock',
  'user.unlock_code',
  'user.enrolment_code',
  'user.reset_password',
  'user.reset_two_factor',
  'user.sign_out',
  'user.suspend',
  'user.reactivate',
  'user.join',
  'user.roles',
  'user.remove',
  'invitation.create',
  'invitation.renew',
  'invitation.revoke',
  'invitation.refused',
  'team.refused',
  'role.create',
  'role.change',
  'role.retire',
  'merchant.create',
  'merchant.two_factor',
  'merchant.suspend',
  'merchant.reactivate',
  'merchant.see',
  'merchant.limits',
  'merchant.settlement',
  'access_key.add',
  'access_key.reveal',
  'access_key.regenerate',
  'access_key.update',
  'access_key.revoke',
  'ip_address.set',
  'checkout.set',
  'callback.send_again',
  'callback_endpoint.create',
  'callback_endpoint.update',
  'callback_endpoint.on',
  'callback_endpoint.pause',
  'callback_endpoint.auto_pause',
  'callback_endpoint.off',
  'callback_endpoint.skip',
  'callback_endpoint.reveal',
  'callback_endpoint.rotate',
  'callback_endpoint.check',
  'callback_address.check',
  'callback_endpoint.remove',
  'collection.ask',
  'collection.cancel',
  'collection.create',
  'collection.refund',
  'payment_link.create',
  'payment_link.update',
  'payment_link.on',
  'payment_link.off',
  'payout.apply',
  'payout.create',
  'payout.take_up',
  'payout.outcome',
  'payout.reject',
  'payout.slip',
  'payout.slip.revoke',
  'approval.approve',
  'approval.refuse',
  'approval.withdraw',
  'approval.expire',
  'approval.rules_asked',
  'approval.team_asked',
  'approval.access_asked',
  'approval.rules',
  'payout-batch.apply',
  'payout-batch.reject',
  'payout-batch.heading',
  'topup.apply',
  'topup.approved',
  'topup.paid',
  'topup.rejected',
  'withdrawal.apply',
  'withdrawal.approved',
  'withdrawal.paid',
  'withdrawal.rejected',
  'funds.funds_transfer_in',
  'funds.funds_transfer_out',
  'terms.set',
  'withdrawal_terms.set',
  'export.create',
  'export.waiting',
  'export.failed',
  'export-schedule.create',
  'export-schedule.remove',
  'test_mode.open',
  'test_mode.wipe',
  'test_mode.funds',
  'test_mode.call',
] as const;
export type RecordedAction = (typeof recordedActions)[number];

/** An action as calls and phrases name it: `payout-batch.apply` is `payout_batch_apply`. */
export type AuditAction = Underscored<RecordedAction>;
type Underscored<T extends string> = T extends `${infer A}.${infer B}`
  ? Underscored<`${A}_${B}`>
  : T extends `${infer A}-${infer B}`
    ? Underscored<`${A}_${B}`>
    : T;

/** Returns the name of an action in calls and phrases. */
export function auditActionOf(recorded: RecordedAction): AuditAction {
  return recorded.replaceAll(/[.-]/g, '_') as AuditAction;
}

export const auditActions = recordedActions.map(auditActionOf) as [AuditAction, ...AuditAction[]];

/**
 * Kinds of actors: a person of the merchant, a program with an access key, our staff, the service by itself, or somebody who was not
 * signed in.
 */
export const auditActorKinds = ['person', 'program', 'staff', 'service', 'nobody'] as const;
export type AuditActorKind = (typeof auditActorKinds)[number];

/** The difference that an action made to one field; null where there was, or is, no value. */
export const auditChange = z.object({
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type AuditChange = z.output<typeof auditChange>;

export const auditRow = z.object({
  /** Identifies the entry; a later one has a larger number. */
  entry_no: z.string(),
  at: instant,
  action: z.enum(auditActions),
  actorKind: z.enum(auditActorKinds),
  /** The person's name, or the program's key ID; null for others. */
  actor: z.string().nullable(),
  /** The person's email address. */
  actorEmail: z.string().nullable(),
  /** The roles that the person had then; empty for others, and in entries that are older than this field. */
  actorRoles: z.array(z.string()),
  /** The object: an order's number, a key's ID, a person's email address; null if the action says it all. */
  subject: z.string().nullable(),
  changes: z.array(auditChange),
  address: z.string().nullable(),
  /** The browser, as it names itself. */
  userAgent: z.string().nullable(),
  /** Identifies the request in our logs. */
  request_id: z.string().nullable(),
});
export type AuditRow = z.output<typeof auditRow>;

export const auditQuery = listQuery({
  action: oneOrMore(auditActions),
  /** Email address of the person who did it. */
  person: textFilter,
  /** Number or ID of the object; of a person, the email address. */
  subject: textFilter,
  createdFrom: instant.optional(),
  createdTo: instant.optional(),
});
export type AuditQuery = z.output<typeof auditQuery>;

export const auditEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/audit-log',
    summary:
      'Lists what was done in the merchant’s name and to its settings, newest first. Entries are never changed or deleted.',
    access: 'session',
    perm: 'audit.read',
    query: auditQuery,
    status: 200,
    reply: listReply(auditRow).extend({
      /**
       * The time that the search of the archive has reached, if it ended before it had found a whole page: archives are large. The
       * cursor continues there.
       */
      searchedTo: instant.optional(),
    }),
    errors: ['too_many_requests', 'archive_unreadable'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/audit-log/:entry_no',
    summary: 'Returns one entry of the audit log.',
    access: 'session',
    perm: 'audit.read',
    params: z.object({ entry_no: z.string().max(32) }),
    status: 200,
    reply: z.object({ data: auditRow }),
    errors: ['not_found', 'too_many_requests', 'archive_unreadable'],
  }),
};
