import { databaseFault } from './pool.ts';

/** The database could not be brought up to date. A start or a command ends with its message, a sentence. */
export class MigrationError extends Error {
  /** Adds the reason to a step that failed: the database's message and its SQLSTATE. The rows of its detail stay in the cause. */
  static of(step: string, cause: unknown): MigrationError {
    if (cause instanceof MigrationError) return cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const state = databaseFault(cause)?.state;
    return new MigrationError(`${step} failed: ${reason}${state ? ` (SQLSTATE ${state})` : ''}`, { cause });
  }
}
