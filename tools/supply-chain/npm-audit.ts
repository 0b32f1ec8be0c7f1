import type { AcceptedAdvisory } from './accepted-advisories.ts';

/** Exit code and output of npm. */
export interface NpmResult {
  readonly exitCode: number;
  readonly stdout: string;
}

/** The meaning of npm's result for one query. Only a result of a known form can be `verified`. */
export type Verdict =
  | { readonly kind: 'verified'; readonly note?: string }
  | { readonly kind: 'failed'; readonly problems: readonly string[] }
  | { readonly kind: 'unanswered'; readonly reason: string };

interface SignatureReport {
  readonly invalid?: readonly NamedPackage[];
  readonly missing?: readonly NamedPackage[];
}

interface NamedPackage {
  readonly name: string;
  readonly version: string;
}

interface AdvisoryReport {
  readonly auditReportVersion?: number;
  readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (string | Advisory)[] }>>;
  readonly metadata?: { readonly dependencies?: { readonly prod?: number } };
}

interface Advisory {
  readonly source: number;
  /** Name of the vulnerable package. */
  readonly name: string;
  readonly title: string;
  readonly url: string;
  readonly severity: string;
}

interface ErrorReport {
  /** Set by `npm audit`; `npm audit signatures` sets `error.summary` instead. */
  readonly message?: string;
  readonly statusCode?: number;
  readonly error?: { readonly code?: string; readonly summary?: string };
}

const networkCode =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|EPIPE|ETIMEDOUT|ERR_SOCKET_TIMEOUT|FETCH_ERROR)\b/;
const noKeys = 'found no dependencies to audit that were installed from a supported registry';
const failingSeverities = ['high', 'critical'];

/**
 * Judges the result of `npm audit signatures --json`. A package that the registry no longer has (404) fails,
 * because it may have been removed as malicious.
 */
export function judgeSignatures({ exitCode, stdout }: NpmResult): Verdict {
  const report = parse<SignatureReport & ErrorReport>(stdout);
  if (report?.invalid && report.missing) {
    const problems = [
      ...report.invalid.map(({ name, version }) => `${name}@${version}: its signature is invalid`),
      ...report.missing.map(
        ({ name, version }) => `${name}@${version}: has no signature, although the registry signs`,
      ),
    ];
    if (problems.length > 0) return { kind: 'failed', problems };
    return exitCode === 0 ? { kind: 'verified' } : unexpectedResult(exitCode, stdout);
  }
  if (report?.error?.summary === noKeys)
    return { kind: 'unanswered', reason: 'the registry offers no signing keys' };
  const { code = '', summary = '' } = report?.error ?? {};
  if (code === 'E404')
    return { kind: 'failed', problems: [`the registry no longer has a package: ${summary}`] };
  if (/^E(4(0[0135]|29)|5\d\d)$/.test(code))
    return { kind: 'unanswered', reason: `the registry replied ${code.slice(1)}` };
  return unreachable(report) ?? unexpectedResult(exitCode, stdout);
}

/**
 * Judges the result of `npm audit --json`. Advisories of high and critical severity fail unless accepted.
 * @param accepted an entry that is no longer reported fails, too, so that the list does not become stale
 */
export function judgeAdvisories(
  { exitCode, stdout }: NpmResult,
  accepted: readonly AcceptedAdvisory[],
): Verdict {
  const report = parse<AdvisoryReport & ErrorReport>(stdout);
  if (report?.auditReportVersion === 2 && report.vulnerabilities) {
    if (!report.metadata?.dependencies?.prod) return unexpectedResult(exitCode, stdout);
    const advisories = Object.values(report.vulnerabilities)
      .flatMap(({ via }) => via)
      .filter((via) => typeof via !== 'string');
    if (advisories.length > 0 !== (exitCode !== 0)) return unexpectedResult(exitCode, stdout);
    return judgeFound(advisories, accepted);
  }
  if (report?.statusCode !== undefined && report.statusCode >= 400)
    return { kind: 'unanswered', reason: `the registry replied ${report.statusCode}` };
  if (report?.message?.startsWith('invalid json response body'))
    return { kind: 'unanswered', reason: 'the reply was not JSON' };
  return unreachable(report) ?? unexpectedResult(exitCode, stdout);
}

function judgeFound(advisories: readonly Advisory[], accepted: readonly AcceptedAdvisory[]): Verdict {
  const isSame = (one: AcceptedAdvisory, { name, url }: Advisory) =>
    one.package === name && url.endsWith(`/${one.advisory}`);
  const severe = advisories.filter(({ severity }) => failingSeverities.includes(severity));
  const problems = [
    ...severe
      .filter((each) => !accepted.some((one) => isSame(one, each)))
      .map(({ name, severity, title, url }) => `${name}: ${severity}: ${title} (${url})`),
    ...accepted
      .filter((one) => !severe.some((each) => isSame(one, each)))
      .map((one) => `${one.package}: ${one.advisory} is accepted but no longer reported: remove it`),
  ];
  if (problems.length > 0) return { kind: 'failed', problems: [...new Set(problems)] };
  const note =
    advisories.length > 0 ? `${advisories.length} advisories, none that fails the build` : undefined;
  return { kind: 'verified', note };
}

function unreachable(report: ErrorReport | undefined): Verdict | undefined {
  const { error, message = '' } = report ?? {};
  const [code] = networkCode.exec(`${error?.code} ${error?.summary} ${message}`) ?? [];
  return code === undefined ? undefined : { kind: 'unanswered', reason: `no connection (${code})` };
}

function unexpectedResult(exitCode: number, stdout: string): Verdict {
  const problem = `npm exited with code ${exitCode} and unexpected output:\n${stdout.trim()}`;
  return { kind: 'failed', problems: [problem.slice(0, 2_000)] };
}

function parse<Report>(stdout: string): Report | undefined {
  try {
    const report: unknown = JSON.parse(stdout);
    return typeof report === 'object' && report !== null ? (report as Report) : undefined;
  } catch {
    return undefined;
  }
}
