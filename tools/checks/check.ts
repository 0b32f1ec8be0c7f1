/** A static check; counts as one test in the last line of `npm test`. */
export interface Check {
  readonly name: string;
  /** Finds problems. A check that throws counts as failed. */
  run(): Promise<CheckResult>;
}

export interface CheckResult {
  /** One line per problem, with its location; empty if the check passed. */
  readonly problems: readonly string[];
  /** Why the check, or part of it, did not run. Without problems it counts as skipped, never as passed. */
  readonly skipped?: string;
  /** Information to print even if the check passed. */
  readonly note?: string;
}
