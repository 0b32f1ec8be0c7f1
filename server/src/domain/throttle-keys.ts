import { createHash } from 'node:crypto';

/** Hashes the key of a counter, so that the table does not reveal who tried. */
export function throttleKey(...parts: string[]): Buffer {
  return createHash('sha256').update(parts.join('\n')).digest();
}

/** Keys of the counters of attempts. Emails must be in lower case; `who` is a user's ID. */
export const tries = {
  /** Sign-ins for an email by a caller: a group of addresses, or the account's known browsers. */
  signIn: (email: string, caller: string) => throttleKey('sign-in', email, caller),
  /** Consecutive failed sign-ins for an email, from anywhere. */
  account: (email: string) => throttleKey('account', email),
  /** Second factors entered at sign-in. */
  challenge: (who: string) => throttleKey('challenge', who),
  /** Consecutive wrong second factors at sign-in. */
  challengeInRow: (who: string) => throttleKey('challenge in a row', who),
  /** Login passwords entered by a signed-in person. */
  ownPassword: (who: bigint) => throttleKey('own password', String(who)),
  /** Second factors entered by a signed-in person. */
  factor: (who: bigint) => throttleKey('two-factor', String(who)),
  /** Orders that a merchant's people create by hand. */
  ordersByHand: (merchantId: bigint) => throttleKey('orders by hand', String(merchantId)),
  /** Actions of a merchant's people on orders: cancelling, having a channel asked, sending a callback again. */
  actionsByHand: (merchantId: bigint) => throttleKey('actions by hand', String(merchantId)),
  /** Calls that send a merchant's callbacks again. */
  callbacksAgain: (merchantId: bigint) => throttleKey('callbacks again', String(merchantId)),
  /** Checks of a live merchant's callback endpoints, and of its test merchants'. */
  endpointChecks: (merchantId: bigint) => throttleKey('endpoint checks', String(merchantId)),
  /** Orders that payers make with payment links: from a group of addresses, with one link, and for one merchant. */
  linkOrdersFrom: (caller: string) => throttleKey('link orders from', caller),
  linkOrdersOf: (merchantId: bigint, link: bigint) =>
    throttleKey('link orders of', String(merchantId), String(link)),
  linkOrdersFor: (merchantId: bigint) => throttleKey('link orders for', String(merchantId)),
  /** Calls for test funds of a live merchant's test merchants. */
  testFunds: (merchantId: bigint) => throttleKey('test funds', String(merchantId)),
  /** Signed calls that people make in the console for the test merchants of a live one. */
  testCalls: (merchantId: bigint) => throttleKey('test calls', String(merchantId)),
  /** Links of invitations that a merchant makes. */
  invitations: (merchantId: bigint) => throttleKey('invitations', String(merchantId)),
  /** Roles of its own that a merchant makes or changes. */
  ownRoles: (merchantId: bigint) => throttleKey('own roles', String(merchantId)),
  /** Refused uses of an invitation's link. */
  refusedLink: (merchantId: bigint, id: bigint) =>
    throttleKey('refused link', String(merchantId), String(id)),
  /** Changes of a team that were refused to a member. */
  refusedTeamCall: (merchantId: bigint, who: bigint) =>
    throttleKey('refused team call', String(merchantId), String(who)),
  paymentPassword: (who: bigint) => throttleKey('payment password', String(who)),
};

/** Keys of the counters of our own staff's attempts. */
export const staffTries = {
  /** Sign-ins from a group of addresses, whatever the email. */
  address: (caller: string) => throttleKey('staff address', caller),
  /** Sign-ins for an email from a group of addresses. */
  signIn: (email: string, caller: string) => throttleKey('staff sign-in', email, caller),
  /** Consecutive failed sign-ins for an email, from anywhere. */
  account: (email: string) => throttleKey('staff account', email),
  /** Codes of the authenticator app. */
  code: (who: bigint) => throttleKey('staff code', String(who)),
  /** Checks of one's own password. */
  ownPassword: (who: bigint) => throttleKey('staff own password', String(who)),
  /** Times that a person of a merchant was unlocked. */
  unlock: (who: bigint) => throttleKey('staff unlock', String(who)),
  /** Consecutive wrong codes. */
  codeInRow: (who: bigint) => throttleKey('staff code in a row', String(who)),
};

/** Returns the keys of all counters that can lock a user out, whatever the address. */
export function locksOf(who: bigint, email: string): Buffer[] {
  const name = String(who);
  return [
    tries.account(email),
    tries.challenge(name),
    tries.challengeInRow(name),
    tries.ownPassword(who),
    tries.factor(who),
    tries.paymentPassword(who),
  ];
}
