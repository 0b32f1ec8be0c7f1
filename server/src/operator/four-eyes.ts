import { Option } from 'commander';
import { reasonOption } from './parse.ts';
import type { Answer } from './print.ts';

/** The option of a command that needs a second person, for an operator who cannot wait for one. */
export function breakGlassOption(): Option {
  return new Option(
    '--break-glass <reason>',
    'act at once, without a second person, for this reason; everybody who works in the back office is alerted',
  ).argParser(reasonOption);
}

/** Answers a command that needs a second person: with what is done, or with the request that waits for one. */
export function doneOrAsked(request: bigint | undefined, done: string): Answer {
  if (request === undefined) return { done };
  return {
    done: `Request ${request} waits: somebody with the permission has to approve it in the back office. Nothing has changed yet.`,
    facts: { request: String(request) },
  };
}
