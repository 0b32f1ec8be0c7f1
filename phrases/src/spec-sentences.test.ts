import { expect, test } from 'vitest';
import { en } from './en.ts';
import type { PhraseKey, Phrases } from './phrases.ts';
import { vi } from './vi.ts';
import { zhCn } from './zh-cn.ts';

/** Every sentence that the specification quotes: the sentence, its phrase, and the place where it appears. */
const sentences: readonly [sentence: string, key: PhraseKey, place: string][] = [
  // Point 2: screens. Point 4: transitions.
  [
    'Please bind and enable two-factor authentication first',
    'twoFactor.requiredText',
    'access key, first binding',
  ],
  ['No permission', 'shell.errorPage.forbiddenTitle', '/403'],
  ['log in again', 'session.ended', 'sign-in page, after a session has ended'],
  // Point 5: filters and order forms.
  [
    'Please enter the order number.',
    'validation.tradeNoRequired',
    'filter of transactions, payouts, top-ups, withdrawals',
  ],
  ['Please enter merchant order number.', 'validation.outTradeNoRequired', 'filter of transactions, payouts'],
  ['Please enter merchant order number.', 'validation.outTradeNo', 'Open API'],
  ['Please select the order status.', 'validation.orderStatusRequired', 'filter of transactions, payouts'],
  ['Please choose a start time or an end time.', 'ui.daysFormat', 'time filter of every list'],
  ['Please choose a start time or an end time.', 'validation.instant', 'every call that takes a time'],
  ['Please enter the amount.', 'validation.amount', 'amount filter of every list, amount fields'],
  ['Please enter the payee.', 'validation.payeeRequired', 'send money apply, filter of payouts'],
  [
    'Please enter the receiving account number.',
    'validation.payeeAccountRequired',
    'send money apply, filter of payouts',
  ],
  ['Please select a channel.', 'validation.channelRequired', 'filter of transactions, payouts'],
  ['Please enter the payment amount.', 'validation.payoutAmountRequired', 'send money apply'],
  ['Please select a bank.', 'validation.bankRequired', 'send money apply, filter of payouts'],
  ['Please enter IFSC.', 'validation.ifscRequired', 'send money apply, filter of payouts'],
  ['Please select account type.', 'validation.accountTypeRequired', 'send money apply, filter of payouts'],
  ['Please enter CPF/CNPJ', 'validation.taxIdRequired', 'send money apply, filter of payouts'],
  ['Individuals submit CPF, companies submit CNPJ.', 'payouts.taxIdHint', 'send money apply'],
  ['Please enter the bank name.', 'validation.bankNameRequired', 'send money apply'],
  // Point 5: security and account.
  [
    'Please enter payment password.',
    'validation.paymentPasswordRequired',
    'payment password, confirmation of a payment',
  ],
  ['Please enter the Google verification code.', 'validation.codeRequired', 'every form that takes a code'],
  [
    'The Google captcha length must be 6 digits.',
    'validation.captchaLength',
    'confirmation of a payment, access key',
  ],
  [
    'The verification code length is 6 digits.',
    'validation.codeLength',
    'second step of signing in, binding',
  ],
  ['Please enter email address.', 'validation.emailRequired', 'sign-in, profile'],
  ['Please enter a valid email address.', 'validation.email', 'sign-in, profile'],
  ['Please enter a name.', 'validation.nameRequired', 'profile'],
  ['Please enter password', 'validation.signInPasswordRequired', 'sign-in'],
  ['Please enter the current password', 'validation.currentPasswordRequired', 'login password'],
  [
    'Please enter the confirmation password',
    'validation.confirmationRequired',
    'login password, payment password',
  ],
  ['Please enter a new password.', 'validation.newPasswordRequired', 'login password'],
  [
    'Confirm password does not match password.',
    'validation.passwordMismatch',
    'login password, payment password',
  ],
  [
    'The length of the payment password cannot be less than 6 digits',
    'validation.paymentPasswordShort',
    'payment password',
  ],
  ['Please enter login password.', 'validation.passwordRequired', 'confirmation of the login password'],
  ['Please enter IP address', 'ipAddress.placeholder', 'IP address'],
  ['Please enter IP whitelist.', 'validation.ipRequired', 'IP address'],
  // Point 5: funds, general.
  ['Please enter the recharge amount.', 'validation.topupAmountRequired', 'top-up'],
  [
    'Please upload a screenshot of the recharge: max 2M, PNG or JPG only.',
    'validation.screenshotRequired',
    'top-up',
  ],
  ['Please enter the withdrawal amount.', 'validation.withdrawalAmountRequired', 'withdraw'],
  ['Please select a currency.', 'validation.currency', 'top-up'],
  ['Please select a currency.', 'validation.withdrawalUnit', 'withdraw'],
  ['Please select the network type.', 'validation.networkRequired', 'top-up, withdraw'],
  ['Please enter your wallet address.', 'validation.addressRequired', 'withdraw'],
  [
    'Please check if the form information is filled in completely.',
    'errors.validation_failed',
    'above a form with several empty fields',
  ],
  // Point 8: errors.
  ['Forbidden. Please contact our support team', 'errors.forbidden', '/403'],
  ['System error', 'shell.failure.system', 'an error without a message'],
  [
    'The current page is invalid, please log in again',
    'shell.failure.sessionEnded',
    'dialog of an ended session',
  ],
  ['The page has expired, please refresh and try again', 'shell.failure.pageExpired', '419'],
  ['Got it', 'shell.gotIt', 'alerts'],
  ['Verification failed, please Login again.', 'shell.verificationFailed', 'user info fails'],
  ["Sorry, you don't have permission to go to this page", 'shell.notPermitted', 'a page without permission'],
  ['Input data is illegal!', 'validation.invalid', 'a field without a message of its own'],
  // Point 8: successes.
  ['Application successful', 'payouts.applied', 'payout, withdrawal'],
  ['Submitted successfully', 'topups.submitted', 'top-up'],
  ['Modified successfully', 'profile.saved', 'settings'],
  ['Reset successful', 'accessKey.regenerated', 'access key'],
  ['Login successfully logged out', 'session.signedOut', 'sign-out'],
  ['Two factor authentication has been turned off', 'twoFactor.offText', 'security'],
  ['Two factor authentication enabled', 'twoFactor.onText', 'security'],
  ['Recovery code has been regenerated', 'twoFactor.renewedText', 'security'],
  ['Google Authenticator has been successfully bound!', 'twoFactor.boundText', 'security'],
  ['Export task submitted successfully', 'exports.submitted', 'export of a list'],
  ['No data export yet', 'exports.none', 'exports without a task'],
  // Point 9.
  ['Unit: ', 'ui.unit', 'send money apply, withdraw'],
  ['Yuan', 'ui.units.CNY', 'send money apply, withdraw'],
];

/** The names that the specification gives to states and transactions, which have phrases of the same words. */
const names: Readonly<Record<string, readonly string[]>> = {
  'collections.status': ['To be paid', 'Paid', 'Cancelled', 'Success', 'Refund received', 'Closed', 'Failed'],
  'collections.settlement': ['Unsettled', 'Pending settlement', 'Settled'],
  'payouts.status': ['Pending', 'Processing', 'Processed', 'Rejected', 'Pending settlement'],
  'topups.status': ['Pending review', 'Approved', 'Paid', 'Rejected'],
  'withdrawals.status': ['Pending review', 'Approved', 'Paid', 'Rejected'],
  'exports.status': ['Waiting for execution', 'Exporting', 'Export successful', 'Task failed'],
  'fundFlow.type': [
    'Collection settlement',
    'Proxy payment deduction fee',
    'Proxy payment refund',
    'Recharge',
    'Withdrawal',
    'Withdrawal rejected',
    'Funds transfer in',
    'Funds transfer out',
  ],
};

function find(phrases: Phrases, key: string): unknown {
  return key.split('.').reduce<unknown>((part, name) => {
    return typeof part === 'object' && part !== null ? Reflect.get(part, name) : undefined;
  }, phrases);
}

test.each(sentences)(
  '“%s” (%s) is said in English as quoted, and in the other languages',
  (sentence, key) => {
    expect(find(en, key)).toContain(sentence);
    for (const other of [zhCn, vi]) {
      expect(find(other, key)).toEqual(expect.stringMatching(/./));
      expect(find(other, key)).not.toContain(sentence);
    }
  },
);

test.each(Object.entries(names))('%s has the specification’s names', (key, wanted) => {
  expect(Object.values(find(en, key) as object).toSorted()).toEqual(wanted.toSorted());
});
