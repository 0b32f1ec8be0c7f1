import type { Config } from '#config.ts';
import { demoSignIn } from '#demo/people.ts';
import { visible } from '#security/visible.ts';

/**
 * Formats the start-up message: the addresses, and how to sign in to a demo. `processes` says how many run.
 */
export function banner(config: Config, url: string, processes?: string): string {
  const lines = [`${visible(config.title)} is running${processes ? ` (${processes})` : ''}`];
  if (config.web) lines.push(`  Console    ${url}`, `  API docs   ${url}/api/docs`);
  if (config.web && config.demo) lines.push(`  Sign in    ${demoSignIn.email}  /  ${demoSignIn.password}`);
  lines.push('  Stop       Ctrl-C');
  return `\n${lines.join('\n')}\n\n`;
}
