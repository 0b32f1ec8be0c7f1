/** What a person who runs the product wants to know of PostgreSQL's life. */
const lifecycle =
  /^LOG: {2}(database system (is ready|is shut down|was interrupted|was not properly shut down)|.*was terminated by signal|all server processes terminated)/;
const severe = /^(WARNING|FATAL|PANIC): /;
/** Said to whoever knocks while it starts, and to everybody who is connected while it ends. */
const noise = /^FATAL: {2}(the database system is|terminating|connection to client lost)/;
const anyHead = /^(DEBUG\d?|INFO|NOTICE|LOG|WARNING|ERROR|FATAL|PANIC): /;

const keptLines = 20;

/**
 * Chooses the lines of PostgreSQL's log that are passed on: its life, and what is wrong with it. A refused statement is
 * the application's to report.
 */
export class LogFilter {
  #isShown = true;
  readonly #last: string[] = [];

  /** Whether a line is to be shown. Details below a message share its fate. */
  shows(line: string): boolean {
    this.#last.push(line);
    if (this.#last.length > keptLines) this.#last.shift();
    if (anyHead.test(line)) this.#isShown = lifecycle.test(line) || (severe.test(line) && !noise.test(line));
    return this.#isShown;
  }

  /** The latest lines, shown or not: what tells why it did not start. */
  latest(): string {
    return this.#last.join('\n');
  }
}
