import { describe, expect, it } from 'vitest';
import type { AuditSqlRow } from './audit-log.sql.ts';
import { toExportRow, toRow } from './audit-log.view.ts';

const entry: AuditSqlRow = {
  id: 1n,
  at: new Date(0),
  actor: 'user:5',
  actor_name: 'Chen Jing',
  actor_email: 'chen@shop.test',
  roles: ['MERCHANT_ADMIN'],
  own_names: null,
  rule_people: null,
  action: 'payout-batch.apply',
  subject: 'B1',
  subject_name: null,
  before: null,
  after: { reason: 'internal' },
  address: null,
  user_agent: null,
  request_id: null,
};

describe('who did it', () => {
  const row = (actor: string) => toRow({ ...entry, actor }, 'CNY');

  it('is a person by name, a program by its key, and our staff without names', () => {
    expect(['user:5', 'key:ak_1', 'operator:root@host', 'job:x', 'nobody'].map(row)).toMatchObject([
      { actorKind: 'person', actor: 'Chen Jing', actorEmail: 'chen@shop.test' },
      { actorKind: 'program', actor: 'ak_1', actorEmail: null },
      { actorKind: 'staff', actor: null, actorEmail: null },
      { actorKind: 'service', actor: null },
      { actorKind: 'nobody', actor: null },
    ]);
    expect(['user:5', 'operator:root@host', 'job:x'].map((actor) => row(actor).changes.length)).toEqual([
      1, 0, 0,
    ]);
    expect(row('user:5').action).toBe('payout_batch_apply');
  });
});

it('names the people of approval rules by their email addresses, if they are known', () => {
  const rule = { kind: 'team', amountMinor: '0', approvers: 1, roles: ['ROOT'], people: ['7', '8'] };
  const row = {
    ...entry,
    action: 'approval.rules',
    before: { rules: [] },
    after: { rules: [rule] },
  } as const;
  const named = { ...row, rule_people: { 7: 'chen@shop.test' } };
  expect(toRow(named, 'CNY').changes).toEqual([
    { field: 'rules', before: null, after: 'team 1 × ROOT/chen@shop.test/user:8' },
  ]);
  expect(toExportRow(named, 'CNY', 'en').changes).toContain('team 1 × ROOT/chen@shop.test/user:8');
});

describe('an entry in a file', () => {
  const changed: AuditSqlRow = {
    ...entry,
    action: 'user.roles',
    before: { roles: ['FINANCE'], isEnabled: true, name: 'constructor' },
    after: { roles: ['FINANCE', 'SUPPORT', 'FORMER'], isEnabled: false, name: '__proto__', toString: 'x' },
  };

  it.each([
    [
      'en',
      'Administrator',
      'Roles: Finance → Finance, Support, FORMER; Enabled: Yes → No; Name: constructor → __proto__; toString: – → x',
    ],
    [
      'zh-cn',
      '管理员',
      '角色: 财务 → 财务, 客服, FORMER; 启用: 是 → 否; 名称: constructor → __proto__; toString: – → x',
    ],
  ] as const)('has its words in %s, and values that have none as they are', (language, roles, changes) => {
    expect(toExportRow(changed, 'CNY', language)).toMatchObject({ actorRoles: roles, changes });
  });

  it.each([
    ['collection.cancel', { status: 'toBePaid' }, { status: 'cancelled' }, '状态: 待支付 → 已取消'],
    ['payout.reject', { status: 'pending' }, { status: 'rejected' }, '状态: 待处理 → 已驳回'],
    ['export.create', null, { list: 'auditLog' }, '列表: – → 操作日志'],
    ['approval.approve', null, { marks: ['newAccount'] }, /^审批前提示: – → 新账户/],
    ['callback_endpoint.pause', { state: 'on' }, { state: 'paused' }, '状态: 已启用 → 已暂停'],
    ['user.remove', { state: 'active' }, null, /^状态: [^a-z]+ → –$/],
    [
      'payment_link.update',
      { asked: ['name'] },
      { asked: ['name', 'email'] },
      '付款人需填写: 姓名 → 姓名, 邮箱',
    ],
    ['collection.refund', null, { amount: '1.00', reason: 'true' }, /: – → true$/],
    ['collection.cancel', null, { status: 'resting' }, '状态: – → resting'],
  ] as const)('of %s has its values in words', (action, before, after, expected) => {
    const { changes } = toExportRow({ ...entry, action, before, after }, 'CNY', 'zh-cn');
    expect(changes).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  });
});
