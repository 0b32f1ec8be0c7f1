import * as z from 'zod';
import { auditChange } from '../audit-log.ts';
import { endpoint } from '../endpoint.ts';
import { instant, textFilter } from '../lists.ts';
import { phrase } from '../phrase.ts';
import { requestFact } from './requests.ts';

/** Rows of a page. */
export const trailPageRows = 50;

/** The merchant that stands for what concerns the service alone. No merchant has this code. */
export const ofService = '-';

/** An entry of the audit trail, as it was recorded. */
export const trailRow = z.object({
  /** Identifies the entry; a later one has a larger number. */
  entry_no: z.string(),
  at: instant,
  /** Null: it concerns the service alone. */
  merchant: z.object({ code: z.string(), name: z.string() }).nullable(),
  /** As recorded, such as `topup.approved`. */
  action: z.string(),
  /** As recorded: `user:<id>`, `key:<id>`, `staff:<id>`, `operator:<name>`, `job:<task>` or `nobody`. */
  actor: z.string(),
  /** Name and email address of the person, of a merchant or of our staff. */
  actorName: z.string().nullable(),
  actorEmail: z.string().nullable(),
  roles: z.array(z.string()),
  subject: z.string().nullable(),
  /** Email address of the person who is the object. */
  subjectName: z.string().nullable(),
  changes: z.array(auditChange),
  /** The facts of a request of our staff, as the second person reads them; empty unless the entry is about one. */
  facts: z.array(requestFact),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  request_id: z.string().nullable(),
});
export type TrailRow = z.output<typeof trailRow>;

const maxActorLength = 128;

/** The filters of a form that can be wrong; the empty text means none. */
export const trailForm = z.object({
  actor: z
    .string()
    .trim()
    .max(maxActorLength)
    .regex(/^$|@|^operator:./, phrase('officeService.faultActor')),
});

export const trailQuery = z.strictObject({
  /** Code of the merchant, or `-` for what concerns the service alone. */
  merchant: textFilter,
  /** An email address, of a merchant's person or of our staff, or `operator:<name>`. */
  actor: z
    .string()
    .trim()
    .max(maxActorLength)
    .regex(/@|^operator:./, phrase('officeService.faultActor'))
    .optional(),
  /** As recorded, such as `topup.approved`. */
  action: textFilter,
  subject: textFilter,
  from: instant.optional(),
  to: instant.optional(),
  /** The number of the last entry of the page before. */
  cursor: z
    .string()
    .regex(/^\d{1,18}$/, phrase('validation.cursor'))
    .optional(),
});
export type TrailQuery = z.output<typeof trailQuery>;

export const auditTrailEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/staff/audit-trail',
    summary:
      'Lists what was done, in the service and at all merchants, newest first, except the months in the archive.',
    access: 'staff',
    staffPerm: 'audit.readAll',
    query: trailQuery,
    status: 200,
    reply: z.object({ data: z.object({ rows: z.array(trailRow), next: z.string().nullable() }) }),
    errors: ['not_found'],
  }),
};

/** Everything that is recorded of the service alone. */
export const serviceActions = [
  'announcement.add',
  'announcement.change',
  'announcement.end',
  'audit.accept_loss',
  'channel.set',
  'contact.set',
  'contact.remove',
  'deposit_wallet.set',
  'incident.open',
  'incident.update',
  'incident.resolve',
  'key.rotate',
  'payout.settle_contradiction',
  'payout.evidence',
  'rate.set',
  'reconciliation.adjust',
  'reconciliation.close',
  'reconciliation.discard',
  'reconciliation.explain',
  'reconciliation.map',
  'reconciliation.match',
  'reconciliation.upload',
  'reconciliation.wait',
  'recovery.release',
  'staff.add_passkey',
  'staff.bind_factor',
  'staff.create',
  'staff.disable',
  'staff.enable',
  'staff.end_others',
  'staff.end_session',
  'staff.lock',
  'staff.password',
  'staff.remove_passkey',
  'staff.reset',
  'staff.four_eyes_from',
  'staff.sign_in',
  'staff.sign_out',
  'staff.unlock',
  'topup.claim',
  'topup.release',
  'staff.hand_over',
  'staff.roles',
  'staff_request.alone_refused',
  'staff_request.approve',
  'staff_request.ask',
  'staff_request.break_glass',
  'staff_request.carry_out',
  'staff_request.expire',
  'staff_request.nobody',
  'staff_request.refuse',
  'staff_request.withdraw',
  'withdrawal.claim',
  'withdrawal.release',
] as const;
