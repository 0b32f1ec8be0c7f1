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

/** What stands in wapiti's report (its JSON format). Throws where it is none. */
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

/** What it calls critical and is none: that it found nothing, or looks again. */
const noFault = /^(all tested parameters do not appear to be injectable|target URL content appears to be)/;

/** What sqlmap found at one address, and which parameters it has tried in full. */
export interface SqlmapOutcome {
  findings: Finding[];
  tried: string[];
}

/** Reads what sqlmap prints. Throws where it has not got to the end, or could not begin. */
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
    .filter((fault) => !noFault.test(fault));
  if (faults.length > 0) throw new Error(`sqlmap at ${method} ${path}: ${faults.join('; ')}`);
  if (!/\[\*\] ending @/.test(text))
    throw new Error(`sqlmap at ${method} ${path} broke off: ${text.slice(-500)}`);
  return { findings: found, tried: [...sound, ...found.map(({ parameter }) => parameter)] };
}
