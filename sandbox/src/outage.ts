import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { BankError } from './errors.ts';
import { readJson } from './signed-scope.ts';

const controlBody = z.strictObject({ paused: z.boolean() });

/** A simulated outage between the bank and the service, for tests. */
export type Outage = { isPaused: boolean };

/** Makes every route of this scope return 503 during the outage. */
export function refuseDuringOutage(app: FastifyInstance, outage: Outage): void {
  app.addHook('onRequest', async () => {
    if (outage.isPaused) throw new BankError('paused', 'The bank cannot be reached at the moment.');
  });
}

/** Registers POST /control, for tests: starts and ends the outage, and passes the new state to `onChange`. */
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
