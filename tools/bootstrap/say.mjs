/** A reason why the product can't be set up, in one sentence for the user. */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Prints a message for the user, on stderr: stdout belongs to the program (`operator … --json` is parsed).
 * @param {string} sentence
 */
export function say(sentence) {
  process.stderr.write(`hengfu: ${sentence}\n`);
}
