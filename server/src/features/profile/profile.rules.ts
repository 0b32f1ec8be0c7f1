/**
 * Login passwords that are tried first everywhere: the eight-and-more-letter head of the published lists of leaked
 * passwords, in lower case. Rows of one character and of neighbours on the keyboard are found by rule.
 */
const common = new Set(
  `password passw0rd password1 password12 password123 passwort motdepasse contraseña senha123 qwertyuiop qwerty123 qwerty12
  1q2w3e4r 1q2w3e4r5t 1qaz2wsx zaq12wsx iloveyou sunshine princess football baseball superman trustno1 welcome1 welcome123
  admin123 admin1234 administrator letmein1 letmein123 changeme changeme123 abcd1234 abc12345 abcdefgh asdfghjk asdfghjkl
  zxcvbnm1 michelle jennifer computer internet whatever starwars pokemon1 dragon123 monkey123 master123 football1 baseball1
  a1b2c3d4 aa123456 aa12345678 woaini1314 woaini520 5201314520 1314520a qq123456 asd123456 q1w2e3r4 matkhau123 anhyeuem
  khongbiet hengfu123 merchant1 merchant123 payment123`.split(/\s+/),
);
const rows = [
  '01234567890123456789',
  '09876543210987654321',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
];

/** Whether a password is among the first that are tried: common ones, one character repeated, a row, the own email. */
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
