import { en } from '@hengfu/phrases/en';
import type { Phrases } from '@hengfu/phrases/phrases';
import { vi } from '@hengfu/phrases/vi';
import { zhCn } from '@hengfu/phrases/zh-cn';
import { auditValue, fieldName } from '@hengfu/ui/audit/audit-words.ts';
import type { Translate } from '@hengfu/ui/language/i18n.ts';
import { expect, test } from 'vitest';
import { permText } from '../../../shared/perm-text.ts';
import { roleName } from '../../../shared/role-name.ts';
import { officeWordings } from './audit-values.ts';

/** Reads phrases of a language. */
const translating =
  (phrases: Phrases): Translate =>
  (key, values = {}) => {
    const found = key
      .split('.')
      .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], phrases) as string;
    return found.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
  };
const texts = { en, 'zh-cn': zhCn, vi };

function word(language: keyof typeof texts, action: string, field: string, value: string | null): string {
  const t = translating(texts[language]);
  const reader = {
    t,
    language,
    zone: 'Asia/Shanghai',
    roleText: (code: string) => roleName(code, t),
    permText: (code: string) => permText(code, t),
  };
  const shown = auditValue({ field, action, value }, reader, officeWordings);
  return `${fieldName(t, field)}: ${shown}`.replaceAll('\u00a0', ' ');
}

test.each([
  ['topup.approved', 'status', 'pendingReview', 'Status: Pending review'],
  ['withdrawal.paid', 'status', 'paid', 'Status: Paid'],
  ['payout.outcome', 'status', 'pendingSettlement', 'Status: Pending settlement'],
  ['payout.outcome', 'outcome', 'failed', 'Outcome by the statement: Failed: the money came back'],
  ['reconciliation.close', 'state', 'closed', 'Status: Closed'],
  ['reconciliation.explain', 'state', 'explained', 'Status: Explained'],
  ['reconciliation.explain', 'kind', 'oursOnly', 'Kind: Ours only'],
  ['reconciliation.explain', 'ours', '1234.50 CNY', 'Ours: ¥1,234.50'],
  ['reconciliation.map', 'csv.delimiter', 'comma', 'Cells are separated by: comma'],
  ['announcement.end', 'state', 'shown', 'Status: Shown'],
  ['announcement.end', 'kind', 'warning', 'Kind: Warning'],
  ['callback_endpoint.pause', 'state', 'autoPaused', 'Status: Paused automatically'],
  ['user.remove', 'state', 'active', 'Status: Active'],
  ['staff_request.approve', 'kind', 'exchangeRate', 'Kind: Set an exchange rate'],
  ['staff_request.approve', 'requestedBy', 'Ann (ann@hengfu.test)', 'Asked by: Ann (ann@hengfu.test)'],
  ['staff_request.approve', 'requestedBy', 'operator:ann', 'Asked by: Operator ann'],
  ['staff.roles', 'roles', 'ADMIN, REVIEWER', 'Roles: Administrator, Reviewer'],
  ['staff.four_eyes_from', 'usdt', '1000.000000 USDT', 'USDT: 1,000.00 USDT'],
  ['merchant.settlement', 'settlementCycle', 'weekly-friday', 'Settlement cycle: Once a week (Friday)'],
  ['merchant.see', 'until', '2026-01-31T01:00:00Z', 'Until: Jan 31, 2026, 09:00:00 UTC+8'],
  ['incident.open', 'component', 'CN_BANK.payout', 'Part of the service: China bank transfer: payouts'],
  ['incident.open', 'impact', 'down', `Impact: ${en.status.state.down}`],
  ['merchant.suspend', 'isSuspended', 'true', 'Suspended: Yes'],
  ['payment_link.update', 'asked', 'name, reference', 'Payers fill in: Name, Order reference'],
  ['approval.rules', 'rules', 'team 2 × MERCHANT_ADMIN', 'Rules: Team 2 × Administrator'],
  // Values and fields that this version does not know are shown as they were recorded.
  ['later.action', 'status', 'resting', 'Status: resting'],
  ['later.action', 'somethingNew', 'x', 'somethingNew: x'],
  ['topup.approved', 'rejectReason', null, 'Reason: –'],
])('puts %s %s %s into words', (action, field, value, expected) => {
  expect(word('en', action, field, value)).toBe(expected);
});

test('speaks the reader’s language', () => {
  expect(word('zh-cn', 'reconciliation.close', 'state', 'closed')).toBe('状态: 已关账');
  expect(word('vi', 'topup.approved', 'amount', '715.00 CNY')).toMatch(/^Số tiền: 715,00/);
});
