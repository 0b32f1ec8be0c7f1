import { readConfig } from './config.ts';
import { startSandbox } from './server.ts';

/** Runs the bank until a signal stops it or its parent is gone. */
async function main(): Promise<void> {
  const { options, exitsWithParent } = readConfig(process.env);
  const sandbox = await startSandbox(options);

  let isStopping = false;
  async function stop(): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    await sandbox.close();
    process.exit(0);
  }
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  if (exitsWithParent) process.stdin.on('end', stop).on('error', stop).resume();
  // A dead parent no longer reads; a failed write must not interrupt the shutdown.
  process.stdout.on('error', stop);

  process.stdout.write(`${JSON.stringify({ ready: true, url: sandbox.url })}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
