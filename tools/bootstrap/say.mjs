/** A reason why the product can't be set up, in one sentence for the person at the keyboard. */
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
 * Tells the person something. Always on stderr: stdout belongs to the program (`operator … --json` is parsed).
 * @param {string} sentence
 */
export function say(sentence) {
  process.stderr.write(`hengfu: ${sentence}\n`);
}
