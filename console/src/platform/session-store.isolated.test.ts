import type { CurrentUser } from '@hengfu/contract/session';
import { expect, test } from 'vitest';
import { hasShownOthers, pageMerchant, resetSession, setSessionUser } from './session-store.ts';

const user = (id: string, code: string) => ({ id, merchant: { code } }) as CurrentUser;

test('a page that has shown one user or merchant is not continued for another one', () => {
  expect(hasShownOthers(user('1', 'north'))).toBe(false);
  setSessionUser(user('1', 'north'));
  expect(pageMerchant()).toBe('north');
  resetSession();
  expect(pageMerchant()).toBeUndefined();
  expect(hasShownOthers(user('1', 'north'))).toBe(false);
  expect(hasShownOthers(user('1', 'south'))).toBe(true);
  expect(hasShownOthers(user('2', 'north'))).toBe(true);
});
