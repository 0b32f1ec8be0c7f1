import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { BankError } from './errors.ts';
import { readJson } from './signed-scope.ts';

const controlBody = z.strictObject({ paused: z.boolean() });

/** An outage between the bank and the service, which tests can bring about. */
export type Outage = { isPaused: boolean };

/** Every route of this scope answers 503 while the outage lasts. */
export function refuseDuringOutage(app: FastifyInstance, outage: Outage): void {
  app.addHook('onRequest', async () => {
    if (outage.isPaused) throw new BankError('paused', 'The bank cannot be reached at the moment.');
  });
}

/** POST /control, for tests: starts and ends the outage, and tells `onChange` which. */
export function registerControlRoute(
  app: FastifyInstance,
  outage: Outage,
  onChange: (isPaused: boolean) => void,
): void {
  app.post('/control', async (request) => {
    const { paused } = readJson(request, controlBody);
    outage.isPaused = paused;
    onChange(paused);
    return { paused };
  });
}
