import { randomInt } from 'node:crypto';

/** Letters and digits that cannot be confused when read out over the phone. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const groups = 5;
const groupLength = 4;

/** Makes a one-time code that an operator gives to a user: 100 random bits in groups of four characters. */
export function freshStaffCode(): string {
  const group = () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');
  return Array.from({ length: groups }, group).join('-');
}
