import type { Config } from './config.ts';
import { demoSignIn } from './demo/people.ts';

/** What a person reads when the product is up: where it is and how to get in. */
export function banner(config: Config, url: string): string {
  const lines = [`${config.title} is running`];
  if (config.web) lines.push(`  Console    ${url}`, `  API docs   ${url}/api/docs`);
  if (config.web && config.demo) lines.push(`  Sign in    ${demoSignIn.email}  /  ${demoSignIn.password}`);
  lines.push('  Stop       Ctrl-C');
  return `\n${lines.join('\n')}\n\n`;
}
