/** Whether tests run at full size. A plain `npm test` makes a few smaller: those that `smallerTests` of `tools/testing/long-files.ts` lists. */
export const isFullRun = !process.env.LEAVE_LONG_FILES;
