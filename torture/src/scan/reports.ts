import * as z from 'zod';
import type { Finding } from './findings.ts';

const entry = z.object({
  method: z.string(),
  path: z.string(),
  info: z.string(),
  parameter: z.string().nullish(),
});
const wapitiReport = z.object({
  vulnerabilities: z.record(z.string(), z.array(entry)),
  anomalies: z.record(z.string(), z.array(entry)),
});

/** Parses wapiti's JSON report. Throws if the text is not one. */
export function wapitiFindings(text: string): Finding[] {
  const { vulnerabilities, anomalies } = wapitiReport.parse(JSON.parse(text));
  return Object.entries({ ...vulnerabilities, ...anomalies }).flatMap(([kind, entries]) =>
    entries.map(({ method, path, info, parameter }) => ({
      by: 'wapiti' as const,
      kind,
      method,
      path,
      detail: info,
      parameter: parameter ?? '',
    })),
  );
}

/** Harmless messages that sqlmap logs as critical: it found nothing, or repeats a check. */
const harmless = /^(all tested parameters do not appear to be injectable|target URL content appears to be)/;

/** The findings of sqlmap at one address, and the parameters that it tested completely. */
export interface SqlmapOutcome {
  findings: Finding[];
  tested: string[];
}

/** Parses sqlmap's output. Throws if sqlmap could not start or did not finish. */
export function sqlmapOutcome(text: string, method: string, path: string): SqlmapOutcome {
  const found = [...text.matchAll(/^Parameter: (.+) \((.+)\)$/gm)].map(([, name = '', place = '']) => ({
    by: 'sqlmap' as const,
    kind: 'SQL injection',
    method,
    path,
    parameter: `${place} ${name}`,
    detail: /Title: (.+)/.exec(text)?.[1] ?? 'injectable',
  }));
  const sound = [...text.matchAll(/parameter '([^']+)' does not seem to be injectable/g)].map(
    ([, name = '']) => name,
  );
  const faults = [...text.matchAll(/\[CRITICAL\] (.+)/g)]
    .map(([, fault = '']) => fault)
    .filter((fault) => !harmless.test(fault));
  if (faults.length > 0) throw new Error(`sqlmap at ${method} ${path}: ${faults.join('; ')}`);
  if (!/\[\*\] ending @/.test(text))
    throw new Error(`sqlmap at ${method} ${path} broke off: ${text.slice(-500)}`);
  return { findings: found, tested: [...sound, ...found.map(({ parameter }) => parameter)] };
}
