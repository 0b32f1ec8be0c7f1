import type { PaymentLinkDetail } from '@hengfu/contract/payment-links';
import { expect, it } from 'vitest';
import { linkBody } from './link-body.ts';

const fields = { kind: 'fixed', title: 'Course', amount: '12.00' };

it('a link whose last day was not changed keeps its end, whoever saves it', () => {
  const link = { expiresAt: '2026-03-31T09:30:00.000Z' } as PaymentLinkDetail;
  const saved = (lastDay: string) => linkBody('America/Sao_Paulo', link).parse({ ...fields, lastDay });
  expect(saved('2026-03-31')).toMatchObject({ expiresAt: '2026-03-31T09:30:00.000Z' });
  expect(saved('2026-04-30')).toMatchObject({ expiresAt: '2026-05-01T03:00:00.000Z' });
  expect(saved('')).toMatchObject({ expiresAt: null });
});
