import { visibleLines } from '#security/visible.ts';

const mask = '•••';

/** Patterns of secrets that a careless server could print in an error page. Each keeps the name of a value, and replaces the value. */
const secrets: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, mask],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${mask}`],
  [/\b(whsec_|sk_|pk_|ak_|ghp_|xox[abp]-|AKIA)[\w+/=-]{6,}/g, `$1${mask}`],
  // A JSON Web Token.
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, mask],
  [
    /(["']?[\w.-]{0,64}(?:passwo?r?d|passwd|secret|token|api[-_]?key|authorization|credential|cookie)[\w.-]{0,64}["']?\s*(?:=>|[:=])\s*)("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^\s,;&<>"'}]+)/gi,
    `$1${mask}`,
  ],
  // The user and password of a database's address.
  [/(\w+:\/\/)[^\s/@:]{1,200}:[^\s/@]{1,200}@/g, `$1${mask}@`],
  // Keys, hashes and signatures.
  [/\b[0-9a-f]{32,}\b/gi, mask],
  [/\b[A-Za-z0-9+/]{40,}={0,2}/g, mask],
];

/**
 * Returns the beginning of a reply as it may be shown: control and invisible characters are escaped, and what looks like a secret is
 * masked, because replies are seen by more people than the logs of the server that sent them.
 */
export function shownReply(text: string): string {
  const masked = secrets.reduce((shown, [pattern, value]) => shown.replace(pattern, value), text);
  return visibleLines(masked.replaceAll('\r\n', '\n').replaceAll('\t', '  '));
}
