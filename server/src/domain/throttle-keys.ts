import { createHash } from 'node:crypto';

/** Hashes what tries are counted by, so that the table tells nobody who tried. */
export function throttleKey(...parts: string[]): Buffer {
  return createHash('sha256').update(parts.join('\n')).digest();
}

/** What tries are counted by. An email is lower-cased before; `who` is a user's number. */
export const tries = {
  /** Sign-ins for an email from a caller: a group of addresses, or the account's known browsers. */
  signIn: (email: string, caller: string) => throttleKey('sign-in', email, caller),
  /** Failed sign-ins for an email in a row, from anywhere. */
  account: (email: string) => throttleKey('account', email),
  /** Second factors shown at sign-in. */
  challenge: (who: string) => throttleKey('challenge', who),
  /** Wrong ones in a row. */
  challengeInRow: (who: string) => throttleKey('challenge in a row', who),
  /** Login passwords typed by somebody who is signed in. */
  ownPassword: (who: bigint) => throttleKey('own password', String(who)),
  /** Second factors shown by somebody who is signed in. */
  factor: (who: bigint) => throttleKey('two-factor', String(who)),
  paymentPassword: (who: bigint) => throttleKey('payment password', String(who)),
};

/** Everything by which a user can be locked out, whatever the address. */
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
