import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { Refusal } from '#domain/refusal.ts';
import { Secrets } from '#security/secrets.ts';
import { DeviceCookies } from './device-cookie.ts';
import { defaultSignInLimits, SignInGate } from './sign-in-gate.ts';

/** A gate with the product's limits, under a fake clock. */
function gateAt(clock: { ms: number }) {
  const gate = new SignInGate(
    new DeviceCookies(new Secrets(Buffer.alloc(32)), false),
    defaultSignInLimits,
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

it('keeps a bounded number of buckets and evicts none before it refills, however many addresses call', () => {
  const clock = { ms: 0 };
  const { gate, passes } = gateAt(clock);
  const { burst, perSecond } = defaultSignInLimits.address;
  // An attacker empties the bucket of one address, then calls from a hundred thousand others.
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
    // The address keeps calling: it gets its refill rate, never a fresh bucket.
    if (index % 100 === 0 && passes('192.0.2.1')) passed++;
    largest = Math.max(largest, gate.size);
  }
  const { strangers } = defaultSignInLimits;
  expect(passed).toBeLessThanOrEqual(strangers.burst + strangers.perSecond * seconds);
  expect(passed).toBeGreaterThan(strangers.perSecond * seconds * 0.9);
  expect(largest).toBeLessThanOrEqual(2 * (strangers.burst + (strangers.perSecond * burst) / perSecond));
});

it('holds a flooding address to its refill rate while many others call', () => {
  const clock = { ms: 0 };
  const { passes } = gateAt(clock);
  const { burst, perSecond } = defaultSignInLimits.address;
  const seconds = 100;
  let passed = 0;
  for (let index = 0; index < 500 * seconds; index++) {
    clock.ms = index * 2;
    if (passes('192.0.2.1')) passed++;
    // Fewer other calls than the shared limit allows, each from its own address.
    if (index % 5 === 0) passes(`10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`);
  }
  expect(passed).toBeGreaterThanOrEqual(burst + perSecond * seconds - 1);
  expect(passed).toBeLessThanOrEqual(burst + perSecond * seconds);
});
