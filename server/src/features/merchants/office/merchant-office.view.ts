import { auditActionOf } from '@hengfu/contract/audit-log';
import { formatAmount } from '@hengfu/contract/money';
import { placeKinds } from '@hengfu/contract/staff/today';
import type { ListedMerchant, MerchantOffice, OwnerLink } from './merchant-office.service.ts';

type Read<K extends 'get' | 'people' | 'access' | 'actions'> = Awaited<ReturnType<MerchantOffice[K]>>;

/** Writes a merchant as the list of the back office returns it. */
export function toRow({ code, name, currency, mode, suspendedAt }: ListedMerchant) {
  return { code, name, currency, mode, state: suspendedAt ? 'suspended' : 'active' } as const;
}

/** Writes a merchant with its facts and balances, those of the merchant first. */
export function toDetail(found: Read<'get'>) {
  const { zone, createdAt, requiresTwoFactor, suspendedAt, suspensionReason, suspendedBy } = found;
  return {
    ...toRow(found),
    zone,
    createdAt: createdAt.toISOString(),
    requiresTwoFactor,
    suspension: suspendedAt && {
      at: suspendedAt.toISOString(),
      reason: suspensionReason ?? '',
      by: suspendedBy ?? '',
    },
    balances: found.balances
      .toSorted((one, other) => placeKinds.indexOf(one.kind) - placeKinds.indexOf(other.kind))
      .map(({ balanceMinor, ...place }) => ({
        ...place,
        balance: formatAmount(balanceMinor, place.currency),
      })),
  };
}

/** Writes the people of a merchant, and its open invitations. */
export function toPeople({ people, invitations }: Read<'people'>) {
  return {
    people: people.map(({ id, lastSignInAt, ...person }) => ({
      ...person,
      id: String(id),
      lastSignInAt: lastSignInAt?.toISOString() ?? null,
    })),
    invitations: invitations.map(({ email, roles, expiresAt }) => ({
      email,
      roles,
      expiresAt: expiresAt.toISOString(),
    })),
  };
}

/** Writes the access of a merchant's systems. */
export function toAccess({ keys, whitelist, callers }: Read<'access'>) {
  return {
    keys: keys.map(({ createdAt, until, ...key }) => ({
      ...key,
      createdAt: createdAt.toISOString(),
      until: until?.toISOString() ?? null,
    })),
    whitelist,
    callers: callers.map((caller) => ({ ...caller, calls: String(caller.calls) })),
  };
}

/** Writes actions of our staff and of operators. */
export function toActions(actions: Read<'actions'>) {
  return actions.map(({ id, at, action, ...rest }) => ({
    ...rest,
    id: String(id),
    at: at.toISOString(),
    action: auditActionOf(action),
  }));
}

/** Writes the link of an invitation. */
export function toLink(email: string, { url, expiresAt }: OwnerLink) {
  return { email, url, expiresAt: expiresAt.toISOString() };
}
