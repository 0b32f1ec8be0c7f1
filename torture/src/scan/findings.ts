/** A finding of a scanner, or a server error that the proxy saw. */
export interface Finding {
  by: 'wapiti' | 'sqlmap' | 'proxy';
  /** The scanner's name for it, such as `SQL Injection`. */
  kind: string;
  method: string;
  path: string;
  parameter: string;
  detail: string;
}

/** Matches findings that are false positives or acceptable. */
export interface Accepted {
  by: Finding['by'];
  kind: RegExp;
  path: RegExp;
  detail: RegExp;
  /** Why, in one sentence. */
  reason: string;
}

/** Accepted findings. If a scanner changes its wording, the scan fails and the finding is reviewed again. */
const accepted: readonly Accepted[] = [
  {
    by: 'wapiti',
    kind: /Secure Flag cookie/,
    path: /./,
    detail: /hengfu_session|XSRF-TOKEN/,
    reason:
      'The scan runs over plain HTTP on loopback; with an https APP_URL both are Secure (headers.test).',
  },
  {
    by: 'wapiti',
    kind: /HttpOnly Flag cookie/,
    path: /./,
    detail: /XSRF-TOKEN/,
    reason: 'The console’s scripts must read this cookie to send it back; by itself it grants no access.',
  },
  {
    by: 'wapiti',
    kind: /HTTP Secure Headers/,
    path: /./,
    detail: /Strict-Transport-Security/,
    reason: 'Browsers ignore it over plain HTTP; with an https APP_URL every reply has it (headers.test).',
  },
  {
    by: 'wapiti',
    kind: /HTTP Secure Headers/,
    path: /./,
    detail: /X-XSS-Protection/,
    reason:
      'It turns on a filter that browsers have removed because it could be abused; the CSP replaces it.',
  },
];

/** Returns the findings that are not accepted. */
export function unexplained(findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => reasonOf(finding) === undefined);
}

/** Returns why a finding is accepted; undefined if it is not. */
export function reasonOf(finding: Finding): string | undefined {
  return accepted.find(
    ({ by, kind, path, detail }) =>
      by === finding.by && kind.test(finding.kind) && path.test(finding.path) && detail.test(finding.detail),
  )?.reason;
}

/** Formats a finding as one line. */
export function formatFinding({ by, kind, method, path, parameter, detail }: Finding): string {
  return `${by}: ${kind}: ${method} ${path}${parameter && ` (${parameter})`}: ${detail}`;
}
