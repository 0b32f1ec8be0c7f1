import { randomInt } from 'node:crypto';

/** Letters and digits that nobody takes for another on the telephone. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const groups = 5;
const groupLength = 4;

/** Makes a one-time code that the service's staff hands to a person: 100 random bits in groups of four. */
export function freshStaffCode(): string {
  const group = () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');
  return Array.from({ length: groups }, group).join('-');
}
