import type { StaffAlert } from '@hengfu/contract/staff/requests';

/** Alerts that differ only in their time: the newest of them, and the IDs of all. */
export interface JoinedAlert extends StaffAlert {
  ids: readonly string[];
}

/**
 * Joins alerts that say the same. Expects the newest first, and keeps the order, but puts refused commands last: they must not push out of
 * sight what was done.
 */
export function joinAlerts(alerts: readonly StaffAlert[]): JoinedAlert[] {
  const joined = new Map<string, JoinedAlert>();
  for (const alert of alerts) {
    const { kind, actor, subject, reason, isRefused } = alert;
    const key = JSON.stringify([kind, actor, subject, reason, isRefused]);
    const same = joined.get(key);
    joined.set(key, same ? { ...same, ids: [...same.ids, alert.id] } : { ...alert, ids: [alert.id] });
  }
  return [...joined.values()].toSorted((one, other) => Number(one.isRefused) - Number(other.isRefused));
}
