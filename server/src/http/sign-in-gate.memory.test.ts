import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { Refusal } from '#domain/refusal.ts';
import { Secrets } from '#security/secrets.ts';
import { DeviceCookies } from './device-cookie.ts';
import { SignInGate, usualSignInLimits } from './sign-in-gate.ts';

/** The product's own limits, under a clock of the test's own. */
function gateAt(clock: { ms: number }) {
  const gate = new SignInGate(
    new DeviceCookies(new Secrets(Buffer.alloc(32)), false),
    usualSignInLimits,
    () => clock.ms,
  );
  return {
    gate,
    passes(ip: string): boolean {
      const request = { ip, cookies: {}, raw: { headers: {} } } as unknown as FastifyRequest;
      try {
        gate.check(request, {} as FastifyReply);
        return true;
      } catch (error) {
        if (error instanceof Refusal) return false;
        throw error;
      }
    },
  };
}

it('keeps a bounded number of buckets and forgets no debt, from however many addresses calls come', () => {
  const clock = { ms: 0 };
  const { gate, passes } = gateAt(clock);
  const { burst, perSecond } = usualSignInLimits.address;
  // Somebody empties the bucket of one address, and then has a hundred thousand others call as fast as can be.
  for (let index = 0; index < burst; index++) passes('192.0.2.1');
  expect(passes('192.0.2.1')).toBe(false);
  let largest = 0;
  let passed = burst;
  const seconds = 100;
  for (let index = 0; index < 100_000; index++) {
    clock.ms = (index / 100_000) * seconds * 1000;
    const isV6 = index % 2 === 0;
    const ip = isV6
      ? `2001:db8:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}::1`
      : `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
    if (passes(ip)) passed++;
    // The address goes on calling: it gets what flows in, and never a fresh bucket.
    if (index % 100 === 0 && passes('192.0.2.1')) passed++;
    largest = Math.max(largest, gate.size);
  }
  const { strangers } = usualSignInLimits;
  expect(passed).toBeLessThanOrEqual(strangers.burst + strangers.perSecond * seconds);
  expect(passed).toBeGreaterThan(strangers.perSecond * seconds * 0.9);
  expect(largest).toBeLessThanOrEqual(2 * (strangers.burst + (strangers.perSecond * burst) / perSecond));
});

it('gives an address that floods no more than what flows in, while many others call', () => {
  const clock = { ms: 0 };
  const { passes } = gateAt(clock);
  const { burst, perSecond } = usualSignInLimits.address;
  const seconds = 100;
  let passed = 0;
  for (let index = 0; index < 500 * seconds; index++) {
    clock.ms = index * 2;
    if (passes('192.0.2.1')) passed++;
    // Fewer others than all strangers may be together, each from an address of its own.
    if (index % 5 === 0) passes(`10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`);
  }
  expect(passed).toBeGreaterThanOrEqual(burst + perSecond * seconds - 1);
  expect(passed).toBeLessThanOrEqual(burst + perSecond * seconds);
});
