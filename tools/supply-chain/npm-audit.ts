import type { AcceptedAdvisory } from './accepted-advisories.ts';

/** How npm ended. */
export interface NpmAnswer {
  readonly exitCode: number;
  readonly stdout: string;
}

/** What npm's answer to one question means. Only an answer that was understood can be `verified`. */
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
  /** The package that it is about. */
  readonly name: string;
  readonly title: string;
  readonly url: string;
  readonly severity: string;
}

interface ErrorReport {
  /** `npm audit` has its message here, `npm audit signatures` in `error.summary`. */
  readonly message?: string;
  readonly statusCode?: number;
  readonly error?: { readonly code?: string; readonly summary?: string };
}

const networkCode =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|EPIPE|ETIMEDOUT|ERR_SOCKET_TIMEOUT|FETCH_ERROR)\b/;
const noKeys = 'found no dependencies to audit that were installed from a supported registry';
const failingSeverities = ['high', 'critical'];

/**
 * Reads the output of `npm audit signatures --json`. A package that the registry does not have any more (404) fails: a
 * package that was taken down for what it does looks like that.
 */
export function judgeSignatures({ exitCode, stdout }: NpmAnswer): Verdict {
  const report = parse<SignatureReport & ErrorReport>(stdout);
  if (report?.invalid && report.missing) {
    const problems = [
      ...report.invalid.map(({ name, version }) => `${name}@${version}: its signature is invalid`),
      ...report.missing.map(({ name, version }) => `${name}@${version}: the registry signs, but not this`),
    ];
    if (problems.length > 0) return { kind: 'failed', problems };
    return exitCode === 0 ? { kind: 'verified' } : notUnderstood(exitCode, stdout);
  }
  if (report?.error?.summary === noKeys)
    return { kind: 'unanswered', reason: 'the registry offers no signing keys' };
  const { code = '', summary = '' } = report?.error ?? {};
  if (code === 'E404')
    return { kind: 'failed', problems: [`the registry does not have a package any more: ${summary}`] };
  if (/^E(4(0[0135]|29)|5\d\d)$/.test(code))
    return { kind: 'unanswered', reason: `the registry replied ${code.slice(1)}` };
  return unreachable(report) ?? notUnderstood(exitCode, stdout);
}

/**
 * Reads the output of `npm audit --json`. Advisories of high and critical severity fail unless they are accepted.
 * @param accepted an accepted advisory that is not reported any more fails, too: the list must not outlive its reasons
 */
export function judgeAdvisories(
  { exitCode, stdout }: NpmAnswer,
  accepted: readonly AcceptedAdvisory[],
): Verdict {
  const report = parse<AdvisoryReport & ErrorReport>(stdout);
  if (report?.auditReportVersion === 2 && report.vulnerabilities) {
    if (!report.metadata?.dependencies?.prod) return notUnderstood(exitCode, stdout);
    const advisories = Object.values(report.vulnerabilities)
      .flatMap(({ via }) => via)
      .filter((via) => typeof via !== 'string');
    if (advisories.length > 0 !== (exitCode !== 0)) return notUnderstood(exitCode, stdout);
    return judgeFound(advisories, accepted);
  }
  if (report?.statusCode !== undefined && report.statusCode >= 400)
    return { kind: 'unanswered', reason: `the registry replied ${report.statusCode}` };
  if (report?.message?.startsWith('invalid json response body'))
    return { kind: 'unanswered', reason: 'something replied that is not JSON' };
  return unreachable(report) ?? notUnderstood(exitCode, stdout);
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
      .map((one) => `${one.package}: ${one.advisory} is accepted, but not reported any more: remove it`),
  ];
  if (problems.length > 0) return { kind: 'failed', problems: [...new Set(problems)] };
  const known = advisories.length > 0 ? `${advisories.length} advisories, none to act upon now` : undefined;
  return { kind: 'verified', note: known };
}

function unreachable(report: ErrorReport | undefined): Verdict | undefined {
  const { error, message = '' } = report ?? {};
  const [code] = networkCode.exec(`${error?.code} ${error?.summary} ${message}`) ?? [];
  return code === undefined ? undefined : { kind: 'unanswered', reason: `no connection (${code})` };
}

function notUnderstood(exitCode: number, stdout: string): Verdict {
  const problem = `npm ended with code ${exitCode} and an answer that this check does not know:\n${stdout.trim()}`;
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
