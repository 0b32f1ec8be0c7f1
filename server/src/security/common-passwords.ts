let common: Promise<ReadonlySet<string>> | undefined;

/**
 * Reads about fifty thousand passwords from published leaks, in lower case, and common ones of this product's markets, once a
 * password is checked. Repeated characters and runs on the keyboard are found by rule.
 */
async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set([
    ...(dictionary['passwords-common'] ?? []),
    ...`motdepasse contraseña senha123 woaini1314 woaini520 5201314520 1314520a qq123456 asd123456 aa12345678 matkhau123
    anhyeuem khongbiet hengfu123 merchant1 merchant123 payment123`.split(/\s+/),
  ]);
}

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
export async function isCommonPassword(password: string, email: string): Promise<boolean> {
  common ??= readCommon();
  const text = password.normalize('NFKC').toLowerCase();
  const [name = ''] = email.split('@');
  return (
    (await common).has(text) ||
    new Set(text).size <= 2 ||
    rows.some((row) => row.includes(text)) ||
    text === email ||
    text === name
  );
}
