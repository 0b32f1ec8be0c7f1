import type { StaffAlert } from '@hengfu/contract/staff/requests';
import { expect, test } from 'vitest';
import { joinAlerts } from './joined-alerts.ts';

const alert: StaffAlert = {
  id: '3',
  kind: 'exchangeRate',
  actor: 'operator:ann',
  subject: 'CNY',
  reason: 'nobody is awake',
  at: '2026-05-01T03:00:00Z',
  isRefused: false,
};

test('alerts that say the same are joined at the newest, and refused commands are last', () => {
  const earlier = { ...alert, id: '1', at: '2026-05-01T01:00:00Z' };
  const refused = { ...alert, id: '2', at: '2026-05-01T02:00:00Z', isRefused: true };
  const others = [
    { ...alert, id: '4', actor: 'operator:bob' },
    { ...alert, id: '5', subject: 'VND' },
    { ...alert, id: '6', reason: 'asked by phone' },
    { ...alert, id: '7', kind: 'depositWallet' as const },
  ];
  expect(joinAlerts([alert, refused, earlier, ...others])).toEqual([
    { ...alert, ids: ['3', '1'] },
    ...others.map((each) => ({ ...each, ids: [each.id] })),
    { ...refused, ids: ['2'] },
  ]);
});
