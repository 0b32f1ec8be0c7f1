import { describe, expect, it } from 'vitest';
import { toRow } from './audit-log.view.ts';

describe('who did it', () => {
  const row = (actor: string) =>
    toRow(
      {
        id: 1n,
        at: new Date(0),
        actor,
        actor_name: 'Chen Jing',
        actor_email: 'chen@shop.test',
        roles: ['MERCHANT_ADMIN'],
        action: 'payout-batch.apply',
        subject: 'B1',
        subject_email: null,
        before: null,
        after: { reason: 'internal' },
        address: null,
        user_agent: null,
        request_id: null,
      },
      'CNY',
    );

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
