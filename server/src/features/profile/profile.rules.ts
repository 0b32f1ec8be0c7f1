import { dictionary } from '@zxcvbn-ts/language-common';

/**
 * About fifty thousand passwords from published leaks, in lower case, and common ones of this product's
 * markets. Repeated characters and runs on the keyboard are found by rule.
 */
const common = new Set([
  ...(dictionary['passwords-common'] ?? []),
  ...`motdepasse contraseña senha123 woaini1314 woaini520 5201314520 1314520a qq123456 asd123456 aa12345678 matkhau123
  anhyeuem khongbiet hengfu123 merchant1 merchant123 payment123`.split(/\s+/),
]);
const rows = [
  '01234567890123456789',
  '09876543210987654321',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
];

/**
 * Whether a password is among the first that an attacker tries: a common one, one or two characters repeated,
 * a run on the keyboard, or the user's own email.
 */
export function isCommonPassword(password: string, email: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const [name = ''] = email.split('@');
  return (
    common.has(text) ||
    new Set(text).size <= 2 ||
    rows.some((row) => row.includes(text)) ||
    text === email ||
    text === name
  );
}
