/** One static check; each counts as one in the last line of `npm test`. */
export interface Check {
  readonly name: string;
  /** Finds what is wrong. A check that throws has failed, too. */
  run(): Promise<CheckResult>;
}

export interface CheckResult {
  /** One line each, with the place; none when all is well. */
  readonly problems: readonly string[];
  /** Why the check, or part of it, could not run. It then counts as skipped unless there are problems, never as passed. */
  readonly skipped?: string;
  /** A figure worth seeing even when all is well. */
  readonly note?: string;
}
