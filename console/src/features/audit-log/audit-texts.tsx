import type { AuditAction, AuditChange, AuditRow } from '@hengfu/contract/audit-log';
import type { en } from '@hengfu/phrases/en';
import { nothing } from '@hengfu/ui/language/format.ts';
import { type Translate, useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { permText } from '../../shared/names/perm-text.ts';
import { roleText } from '../../shared/names/role-name.tsx';
import styles from './audit-log.module.css';

/** Names an action. */
export function ActionName({ action }: { action: AuditAction }): ReactElement {
  return <>{useT()(`auditLog.actions.${action}`)}</>;
}

/** Names who acted: a person, a program by its key, or the kind of anybody else. */
export function Actor({ of }: { of: AuditRow }): ReactElement {
  const t = useT();
  const kind = t(`auditLog.kinds.${of.actorKind}`);
  if (of.actor === null) return <>{kind}</>;
  if (of.actorKind === 'person') return <span>{of.actor}</span>;
  return (
    <>
      {kind} <span className={styles.muted}>{of.actor}</span>
    </>
  );
}

type KnownField = keyof typeof en.auditLog.fields;

const knownFields: Readonly<Record<KnownField, true>> = {
  title: true,
  least: true,
  most: true,
  maxQuantity: true,
  maxUses: true,
  expiresAt: true,
  returnUrl: true,
  outTradeNo: true,
  name: true,
  email: true,
  zone: true,
  language: true,
  session: true,
  list: true,
  filters: true,
  every: true,
  status: true,
  displayName: true,
  color: true,
  logo: true,
  blocks: true,
  revokedTimes: true,
  rows: true,
  total: true,
  reason: true,
  rejectReason: true,
  field: true,
  usdt: true,
  arrived: true,
  network: true,
  transactionId: true,
  amount: true,
  fee: true,
  currency: true,
  channel: true,
  payee: true,
  payeeAccount: true,
  address: true,
  keyId: true,
  overlapHours: true,
  note: true,
  callbackUrl: true,
  url: true,
  events: true,
  skipped: true,
  scopes: true,
  addresses: true,
  endsAt: true,
  isEnabled: true,
  refundNo: true,
  isSuspended: true,
  isRequired: true,
  attempt: true,
  state: true,
  roles: true,
  description: true,
  permissions: true,
  secondFactor: true,
  app: true,
  passkeys: true,
  id: true,
  collectionRatePpm: true,
  payoutRatePpm: true,
  collectionFixed: true,
  payoutFixed: true,
  refundFeeKept: true,
  refundFromAvailable: true,
  freePerDay: true,
  minimum: true,
  validFrom: true,
  code: true,
  isSet: true,
  cutOff: true,
  payoutLimit: true,
  payoutDayLimit: true,
  withdrawalDayLimit: true,
  collectionLimit: true,
  settlementCycle: true,
  until: true,
};

const isKnown = (field: string): field is KnownField => Object.hasOwn(knownFields, field);

/** The name of a field in the reader's language; fields that have none keep their own. */
export function fieldName(t: Translate, field: string): string {
  return isKnown(field) ? t(`auditLog.fields.${field}`) : field;
}

/** A value of a field; roles, permissions, yes and no in words. */
export function valueText(t: Translate, field: string, value: string | null): string {
  if (value === null) return nothing;
  if (field === 'roles')
    return value
      .split(', ')
      .map((code) => roleText(t, code))
      .join(', ');
  if (field === 'permissions')
    return value
      .split(', ')
      .map((code) => permText(t, code))
      .join(' ');
  return value === 'true' || value === 'false' ? t(value === 'true' ? 'auditLog.yes' : 'auditLog.no') : value;
}

/** The first change of an entry in one line, and how many more there are. */
export function FirstChange({ of: { changes } }: { of: AuditRow }): ReactElement {
  const t = useT();
  const [first, ...more] = changes;
  if (!first) return <span>{nothing}</span>;
  return (
    <span className={styles.change}>
      {changeText(t, first)}
      {more.length > 0 && <span className={styles.muted}> +{more.length}</span>}
    </span>
  );
}

function changeText(t: Translate, { field, before, after }: AuditChange): string {
  const name = fieldName(t, field);
  return before === null
    ? `${name}: ${valueText(t, field, after)}`
    : `${name}: ${valueText(t, field, before)} → ${valueText(t, field, after)}`;
}
