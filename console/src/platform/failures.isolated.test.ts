import { ApiError, type ApiErrorDetails } from '@hengfu/client/api-error.ts';
import type { CurrentUser } from '@hengfu/contract/session';
import { showAlert } from '@hengfu/ui/feedback/alerts.ts';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { formatAmountsIn } from '@hengfu/ui/language/format.ts';
import { startI18n, type Translate, translate } from '@hengfu/ui/language/i18n.ts';
import { setAmountFormat } from '@hengfu/ui/language/message-text.ts';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { messageOf, reactToFailure } from './failures.ts';
import { setNavigation } from './navigation.ts';
import { resetSession, setSessionUser } from './session-store.ts';

vi.mock('@hengfu/ui/feedback/alerts.ts', () => ({ showAlert: vi.fn() }));
vi.mock('@hengfu/ui/feedback/toast.ts', () => ({ toast: vi.fn() }));

const toLogin = vi.fn();
const toForbidden = vi.fn();

beforeAll(async () => {
  vi.stubGlobal('document', { cookie: '', documentElement: { lang: '' } });
  vi.stubGlobal('location', { protocol: 'http:' });
  await startI18n('en');
  setNavigation({ toLogin, toForbidden });
});
beforeEach(() => {
  vi.clearAllMocks();
});

const user: CurrentUser = {
  id: '1',
  name: 'A',
  email: 'a@b.test',
  roles: ['MERCHANT_ADMIN'],
  perms: [],
  twoFactor: 'off',
  factors: [],
  zone: 'UTC',
  language: null,
  merchant: { code: 'demo', name: 'Demo', currency: 'CNY', zone: 'UTC', mode: 'live' as const },
  hasOtherMerchants: false,
};

function failure(details: Partial<ApiErrorDetails> & Pick<ApiErrorDetails, 'status' | 'code'>): ApiError {
  return new ApiError({ message: '', ...details });
}

function alertShown(): string | undefined {
  return vi.mocked(showAlert).mock.calls[0]?.[0].text;
}

test('401 asks to sign in again, in the specification’s words, and confirming opens the sign-in page', () => {
  setSessionUser(user);
  reactToFailure(failure({ status: 401, code: 'unauthenticated' }), true);
  expect(alertShown()).toBe('The current page is invalid, please log in again');
  expect(toLogin).not.toHaveBeenCalled();
  vi.mocked(showAlert).mock.calls[0]?.[0].onClose?.();
  expect(toLogin).toHaveBeenCalledOnce();
});

test('401 shows nothing after the session was reset', () => {
  resetSession();
  reactToFailure(failure({ status: 401, code: 'unauthenticated' }), true);
  expect(showAlert).not.toHaveBeenCalled();
});

test('403 opens the forbidden page and shows the server’s message', () => {
  reactToFailure(failure({ status: 403, code: 'forbidden', message: 'Suspended.' }));
  expect(toForbidden).toHaveBeenCalledOnce();
  expect(alertShown()).toBe('Suspended.');
});

test.each(['live_mode_only', 'test_mode_only'] as const)(
  'a call that the mode does not have says so, and does not open the forbidden page: %s',
  (code) => {
    reactToFailure(failure({ status: 403, code, message: 'Switch first.' }));
    expect(alertShown()).toBe('Switch first.');
    expect(toForbidden).not.toHaveBeenCalled();
  },
);

test('a page of a merchant that its person has left raises no alert: a notice replaces it', () => {
  reactToFailure(failure({ status: 409, code: 'merchant_switched', message: 'Switched.' }));
  expect(showAlert).not.toHaveBeenCalled();
});

test('a session that has to choose a merchant says so, and does not open the forbidden page', () => {
  reactToFailure(failure({ status: 403, code: 'merchant_choice_required', message: 'Choose.' }));
  expect(alertShown()).toBe('Choose.');
  expect(toForbidden).not.toHaveBeenCalled();
});

test('419 says that the page has expired, whatever the server’s message', () => {
  reactToFailure(failure({ status: 419, code: 'csrf_mismatch', message: 'CSRF token mismatch.' }));
  expect(alertShown()).toBe('The page has expired, please refresh and try again');
});

test('any other error shows the server’s message, or “System error” without one', () => {
  reactToFailure(failure({ status: 422, code: 'validation_failed', message: 'Wrong.' }));
  expect(alertShown()).toBe('Wrong.');
  vi.clearAllMocks();
  reactToFailure(failure({ status: 502, code: 'unreadable_reply' }));
  expect(alertShown()).toBe('System error');
});

test('amounts in a server’s message are written as the reader’s language writes them', () => {
  setAmountFormat(formatAmountsIn);
  const message = 'Only 1656.00 CNY of this payment is left to refund.';
  const error = failure({ status: 409, code: 'refund_exceeds', message });
  expect(messageOf(error)).toBe('Only ¥1,656.00 of this payment is left to refund.');
});

test('errors that a screen shows inline raise no alert', () => {
  reactToFailure(failure({ status: 422, code: 'validation_failed' }), ['validation_failed']);
  reactToFailure(failure({ status: 500, code: 'internal' }), true);
  expect(showAlert).not.toHaveBeenCalled();
  reactToFailure(failure({ status: 409, code: 'conflict' }), ['validation_failed']);
  expect(showAlert).toHaveBeenCalledOnce();
});

test('a lost connection and a failed background refresh show toasts', () => {
  reactToFailure(failure({ status: 0, code: 'network' }));
  reactToFailure(failure({ status: 503, code: 'unavailable', message: 'Later.' }), false, true);
  expect(vi.mocked(toast).mock.calls.map(([, text]) => text)).toEqual([
    'The server cannot be reached. Please check your connection and try again.',
    'Later.',
  ]);
  expect(showAlert).not.toHaveBeenCalled();
});

test('an aborted call is ignored, and a program error is reported', () => {
  reactToFailure(new DOMException('aborted', 'AbortError'));
  expect(showAlert).not.toHaveBeenCalled();
  const fault = new TypeError('x is undefined');
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  reactToFailure(fault);
  expect(reported).toHaveBeenCalledWith(fault);
  expect(alertShown()).toBe('System error');
});

test('a phrase that does not exist does not compile', () => {
  const wrong: Translate = (key) => key;
  // @ts-expect-error no such phrase
  expect(wrong('shell.noSuchPhrase')).toBe('shell.noSuchPhrase');
  expect(translate('shell.gotIt')).toBe('Got it');
});
