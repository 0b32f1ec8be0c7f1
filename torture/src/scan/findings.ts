/** What a scanner, or the server itself by an error of its own, said. */
export interface Finding {
  by: 'wapiti' | 'sqlmap' | 'proxy';
  /** What it is called, such as `SQL Injection`. */
  kind: string;
  method: string;
  path: string;
  parameter: string;
  detail: string;
}

/** A finding that is none, or that we live with. */
export interface Accepted {
  by: Finding['by'];
  kind: RegExp;
  path: RegExp;
  detail: RegExp;
  /** Why, in one sentence. */
  reason: string;
}

/** Every one here is looked at anew when the scanner's words change: what does not match any longer fails. */
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
    reason: 'Scripts of the console must read this one to send it back; it opens nothing by itself.',
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
      'It turns on a filter that browsers have given up because it could be misused; the CSP does its work.',
  },
];

/** Findings without a reason. */
export function unexplained(findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => reasonOf(finding) === undefined);
}

/** Why a finding is accepted; undefined where it is not. */
export function reasonOf(finding: Finding): string | undefined {
  return accepted.find(
    ({ by, kind, path, detail }) =>
      by === finding.by && kind.test(finding.kind) && path.test(finding.path) && detail.test(finding.detail),
  )?.reason;
}

/** A finding in one line. */
export function told({ by, kind, method, path, parameter, detail }: Finding): string {
  return `${by}: ${kind}: ${method} ${path}${parameter && ` (${parameter})`}: ${detail}`;
}
