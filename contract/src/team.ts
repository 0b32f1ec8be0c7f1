import * as z from 'zod';
import { approvalStates } from './approval-states.ts';
import { endpoint } from './endpoint.ts';
import { instant } from './lists.ts';
import { namedRole, ownRole } from './own-roles.ts';
import { roles } from './permissions.ts';
import { phrase } from './phrase.ts';
import { checkNewPassword, newPassword, personName } from './profile.ts';
import { quotas } from './quotas.ts';
import { inOrder, roleCode } from './role-codes.ts';
import { emailAddress } from './session.ts';

/** Hours for which an invitation is valid. */
export const invitationHours = 72;
/** Days for which an expired invitation stays in the list, to be renewed. */
export const invitationDays = 30;
/** Links that one merchant may make within an hour. */
export const invitationsPerHour = 60;

/**
 * A member's state: `suspended` by the merchant, which can reactivate the member; `blocked` by the service, at every
 * merchant.
 */
export const memberStates = ['active', 'suspended', 'blocked'] as const;
export type MemberState = (typeof memberStates)[number];

/** A person who works for the merchant. */
export const teamMember = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  roles: z.array(roleCode),
  state: z.enum(memberStates),
  /** Whether the person has bound a second factor. */
  hasTwoFactor: z.boolean(),
  joinedAt: instant,
  /** The last sign-in to this merchant; null if there was none. */
  lastSignInAt: instant.nullable(),
  isYou: z.boolean(),
});
export type TeamMember = z.output<typeof teamMember>;

/** An invitation that nobody has used yet. */
export const invitation = z.object({
  id: z.string(),
  email: z.string(),
  roles: z.array(roleCode),
  /** Name of the person who sent it; null if the service's operator did. */
  invitedBy: z.string().nullable(),
  createdAt: instant,
  expiresAt: instant,
  isExpired: z.boolean(),
  /** Whether the link works, if an approval rule asks; null if none does. */
  approvalState: z.enum(approvalStates).nullable(),
});
export type Invitation = z.output<typeof invitation>;

/** An invitation with its link, which is shown once: only a hash of it is stored. */
export const madeInvitation = invitation.extend({ url: z.string() });
export type MadeInvitation = z.output<typeof madeInvitation>;

/** The team, with the roles that the merchant has made. */
export const team = z.object({
  members: z.array(teamMember),
  invitations: z.array(invitation),
  roles: z.array(ownRole),
});

/** The roles of one person: at least one, each once. */
export const rolesGiven = z
  .array(roleCode, phrase('validation.rolesRequired'))
  .min(1, phrase('validation.rolesRequired'))
  .max(roles.length + quotas.ownRolesOfMerchant, phrase('validation.choice'))
  .transform(inOrder);

/** The form of an invitation: an email address, and at least one box ticked. */
export const invitationForm = z.object({
  email: emailAddress,
  roles: z.string(phrase('validation.rolesRequired')),
});

const number = z.string().regex(/^[1-9]\d{0,17}$/, phrase('validation.choice'));
const byMember = z.object({ member_id: number });
const byInvitation = z.object({ id: number });
const managing = { access: 'session', perm: 'team.manage', isPasswordConfirmed: true } as const;
/** The number of the request, if the change waits for approval; null if it was made. */
const maybeAsked = z.object({ data: z.object({ request_no: z.string().nullable() }) });
const refusals = ['not_found', 'own_membership', 'roles_exceed', 'last_owner'] as const;

/** The people of a merchant, their roles, and invitations. */
export const teamEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/team',
    summary:
      'Returns the members of the team, its open invitations, and the roles that the merchant has made.',
    access: 'session',
    perm: 'team.read',
    status: 200,
    reply: z.object({ data: team }),
    errors: [],
  }),
  invite: endpoint({
    ...managing,
    method: 'POST',
    path: '/api/merchant/team/invitations',
    summary:
      'Invites a person by email address; returns the invitation’s link, which is valid for 72 hours and works once.',
    body: z.object({ email: emailAddress, roles: rolesGiven }),
    status: 201,
    reply: z.object({ data: madeInvitation }),
    errors: ['roles_exceed', 'quota_reached', 'too_many_attempts'],
  }),
  renew: endpoint({
    ...managing,
    method: 'POST',
    path: '/api/merchant/team/invitations/:id/link',
    summary:
      'Makes a new link for an invitation, valid for another 72 hours. The previous link stops working.',
    params: byInvitation,
    status: 200,
    reply: z.object({ data: madeInvitation }),
    errors: ['not_found', 'roles_exceed', 'too_many_attempts'],
  }),
  revoke: endpoint({
    ...managing,
    method: 'DELETE',
    path: '/api/merchant/team/invitations/:id',
    summary: 'Revokes an invitation.',
    params: byInvitation,
    status: 204,
    errors: ['not_found', 'roles_exceed'],
  }),
  setRoles: endpoint({
    ...managing,
    method: 'PUT',
    path: '/api/merchant/team/members/:member_id/roles',
    summary: 'Changes the roles of a member.',
    params: byMember,
    body: z.object({
      roles: rolesGiven,
      /** The roles that the caller has seen; refused with `conflict` if somebody has changed them since. */
      from: rolesGiven.optional(),
    }),
    status: 200,
    reply: maybeAsked,
    errors: [...refusals, 'approvers_missing', 'conflict', 'request_waiting'],
  }),
  suspend: endpoint({
    ...managing,
    method: 'POST',
    path: '/api/merchant/team/members/:member_id/suspension',
    summary: 'Suspends a member and ends the member’s sessions at once.',
    params: byMember,
    status: 204,
    errors: refusals,
  }),
  reactivate: endpoint({
    ...managing,
    method: 'DELETE',
    path: '/api/merchant/team/members/:member_id/suspension',
    summary: 'Reactivates a member whom the merchant has suspended.',
    params: byMember,
    status: 200,
    reply: maybeAsked,
    errors: refusals,
  }),
  remove: endpoint({
    ...managing,
    method: 'DELETE',
    path: '/api/merchant/team/members/:member_id',
    summary: 'Removes a member from the team and ends the member’s sessions at once.',
    params: byMember,
    status: 204,
    errors: [...refusals, 'approvers_missing'],
  }),
};

/** The page on which an invited person joins. */
export const invitationPage = { path: '/invitation/:token', secretParams: ['token'] } as const;

const byToken = z.object({ token: z.string().max(200) });

/** An invitation as anyone with its link sees it. */
export const shownInvitation = z.object({
  merchant: z.string(),
  email: z.string(),
  roles: z.array(roleCode),
  /** Those of the roles that the merchant has made. */
  ownRoles: z.array(namedRole),
  invitedBy: z.string().nullable(),
  expiresAt: instant,
  /** An account with this email exists already: its password accepts the invitation. */
  hasAccount: z.boolean(),
});
export type ShownInvitation = z.output<typeof shownInvitation>;

/** Joins with a new account (name, and a password typed twice), or with the password of an existing one. */
export const acceptance = z
  .object({
    name: personName.optional(),
    password: newPassword,
    password_confirmation: z.string().optional(),
  })
  .superRefine((given, context) => {
    if (given.name !== undefined) checkNewPassword(given, context);
  });
export type Acceptance = z.output<typeof acceptance>;

export const invitationEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/invitations/:token',
    summary: 'Returns the invitation behind a link.',
    access: 'public',
    params: byToken,
    secretParams: ['token'],
    status: 200,
    reply: z.object({ data: shownInvitation }),
    errors: ['not_found', 'link_expired', 'link_revoked', 'link_used'],
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/invitations/:token/acceptance',
    summary:
      'Accepts an invitation. A new account is signed in at once (`signed_in: true`); an existing one signs in afterwards.',
    access: 'public',
    isSignIn: true,
    params: byToken,
    secretParams: ['token'],
    body: acceptance,
    status: 200,
    reply: z.object({ signed_in: z.boolean() }),
    errors: [
      'not_found',
      'link_expired',
      'link_revoked',
      'link_used',
      'link_waiting',
      'merchant_suspended',
      'conflict',
      'request_waiting',
      'too_many_attempts',
      'already_signed_in',
    ],
  }),
};
