/** Startup, shutdown and crashes of PostgreSQL, which an operator wants to see. */
const lifecycle =
  /^LOG: {2}(database system (is ready|is shut down|was interrupted|was not properly shut down)|.*was terminated by signal|all server processes terminated)/;
const severe = /^(WARNING|FATAL|PANIC): /;
/** Sent to clients that connect during startup, and to all that are connected during shutdown. */
const noise = /^FATAL: {2}(the database system is|terminating|connection to client lost)/;
const anyHead = /^(DEBUG\d?|INFO|NOTICE|LOG|WARNING|ERROR|FATAL|PANIC): /;

const keptLines = 20;

/**
 * Selects the lines of PostgreSQL's log that are shown: startup, shutdown and problems. Rejected statements
 * are the application's to report.
 */
export class LogFilter {
  #isShown = true;
  readonly #last: string[] = [];

  /** Whether to show a line. Details are shown if their message is. */
  shows(line: string): boolean {
    this.#last.push(line);
    if (this.#last.length > keptLines) this.#last.shift();
    if (anyHead.test(line)) this.#isShown = lifecycle.test(line) || (severe.test(line) && !noise.test(line));
    return this.#isShown;
  }

  /** Returns the latest lines, shown or not: they say why a start failed. */
  latest(): string {
    return this.#last.join('\n');
  }
}
