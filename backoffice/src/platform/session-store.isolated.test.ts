import { type CurrentStaff, staffSessionEndpoints } from '@hengfu/contract/staff/session';
import { beforeEach, expect, test, vi } from 'vitest';
import { call } from './http.ts';
import { queryClient } from './query-client.ts';
import { clearUser, setStep, setUser, useSession } from './session-store.ts';

const person: CurrentStaff = {
  id: '1',
  name: 'A',
  email: 'a@b.test',
  roles: ['FINANCE'],
  perms: ['figures.read'],
  level: 'complete',
  hasFactor: true,
  hasPasskey: false,
  language: null,
};
const figures = ['/api/staff/figures'];

beforeEach(() => {
  clearUser(false);
  vi.stubGlobal('document', { cookie: 'STAFF-XSRF-TOKEN=a' });
  vi.stubGlobal(
    'fetch',
    async () => new Response('{"code":"unauthenticated","message":""}', { status: 401 }),
  );
});

/** Makes a call whose session has ended. */
async function callLate(): Promise<void> {
  await expect(call(staffSessionEndpoints.user)).rejects.toMatchObject({ status: 401 });
}

test('a session that has ended leaves nothing behind of what was read in it', async () => {
  setUser(person);
  queryClient.setQueryData(figures, [1]);
  await Promise.all([callLate(), callLate()]);
  expect(queryClient.getQueryData(figures)).toBeUndefined();
  expect(useSession.getState()).toEqual({ user: null, step: 'none', hasEnded: true });
});

test('a sign-in that has ended before its second factor begins with the password again, and says so', async () => {
  for (const step of ['password', 'binding'] as const) {
    setStep(step);
    await callLate();
    expect(useSession.getState()).toEqual({ user: null, step: 'none', hasEnded: true });
  }
});

test('a call that comes back after the sign-out does not say that the session has ended', async () => {
  setUser(person);
  clearUser(false);
  await callLate();
  expect(useSession.getState().hasEnded).toBe(false);
});
