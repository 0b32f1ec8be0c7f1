/**
 * False in a run of everything that is not a build server's, which makes a few tests smaller: those that `smallerTests` of
 * `tools/testing/long-files.ts` lists.
 */
export const isFullRun = !process.env.LEAVE_LONG_FILES;
