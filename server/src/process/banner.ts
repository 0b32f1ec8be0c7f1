import { demoSignIn, demoStaff, demoStaffPassword } from '#composition/demo-sign-ins.ts';
import type { Config } from '#config.ts';
import { visible } from '#security/visible.ts';

/**
 * Formats the start-up message: the addresses, and how to sign in to a demo. `staffUrl` is the address of the back office, if this
 * process serves it; `processes` says how many run.
 */
export function banner(
  config: Config,
  url: string,
  { staffUrl, processes }: { staffUrl?: string | undefined; processes?: string } = {},
): string {
  const lines = [`${visible(config.title)} is running${processes ? ` (${processes})` : ''}`];
  if (config.web) lines.push(`  Console    ${url}`, `  API docs   ${url}/api/docs`);
  if (config.web && config.demo) lines.push(`  Sign in    ${demoSignIn.email}  /  ${demoSignIn.password}`);
  if (staffUrl !== undefined) lines.push(`  Staff      ${staffUrl}`);
  if (staffUrl !== undefined && config.demo)
    lines.push(`  Sign in    ${demoStaff.map(({ email }) => email).join(' or ')}  /  ${demoStaffPassword}`);
  lines.push('  Stop       Ctrl-C');
  return `\n${lines.join('\n')}\n\n`;
}
