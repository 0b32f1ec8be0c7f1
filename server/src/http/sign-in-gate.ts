import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/refusal.ts';
import { addressGroup } from '#security/address-group.ts';
import type { DeviceCookies } from './device-cookie.ts';
import { type Rate, TokenBuckets } from './token-buckets.ts';
import { leaveBodyUnread } from './unread-body.ts';

/** Rates of sign-in calls that one process accepts. */
export interface SignInLimits {
  /** Per IPv4 address, or /64 of IPv6. */
  address: Rate;
  /** Per /48 of IPv6. */
  network: Rate;
  /** Per account, for all of its known browsers. */
  device: Rate;
  /** In total, for all browsers that are not known. */
  strangers: Rate;
}

/**
 * Sized for an office of a hundred that signs in at nine: three calls per person, most from known browsers.
 * Password hashing handles about thirty sign-ins a second on two cores; its own queue rejects what exceeds
 * that.
 */
export const defaultSignInLimits: SignInLimits = {
  address: { burst: 120, perSecond: 4 },
  network: { burst: 480, perSecond: 16 },
  device: { burst: 20, perSecond: 1 / 3 },
  strangers: { burst: 600, perSecond: 200 },
};

/** Known browsers are few, since each takes an account. The only effect of eviction is a full bucket. */
const maxDevices = 10_000;
const allStrangers = 'all';

/**
 * Rejects floods of sign-in calls before their bodies are read. The buckets are local to this process and
 * only limit its load; counters in the database limit password guessing.
 *
 * Memory is bounded, and a flood can't evict a bucket before it has refilled: only a call that passes creates
 * a bucket, and only so many strangers' calls pass while a bucket refills (`capacityFor`). With room for that
 * many, the least recently used bucket is full again before it is evicted, however many addresses call.
 */
export class SignInGate {
  readonly #devices: Pick<DeviceCookies, 'accountsOf'>;
  readonly #limits: SignInLimits;
  readonly #ofDevice: TokenBuckets;
  readonly #ofAddress: TokenBuckets;
  readonly #ofNetwork: TokenBuckets;
  readonly #ofStrangers: TokenBuckets;
  /** By retry delay in seconds. Cached: capturing a stack trace is the costliest part of a rejection. */
  readonly #refusals = new Map<number, Refusal>();

  constructor(devices: Pick<DeviceCookies, 'accountsOf'>, limits: SignInLimits, now?: () => number) {
    const { address, network, device, strangers } = limits;
    this.#devices = devices;
    this.#limits = limits;
    this.#ofDevice = new TokenBuckets(device, maxDevices, now);
    this.#ofAddress = new TokenBuckets(address, capacityFor(address, strangers), now);
    this.#ofNetwork = new TokenBuckets(network, capacityFor(network, strangers), now);
    this.#ofStrangers = new TokenBuckets(strangers, 1, now);
  }

  /** Number of buckets in memory. */
  get size(): number {
    return this.#ofDevice.size + this.#ofAddress.size + this.#ofNetwork.size;
  }

  /** Throws `too_many_requests`, and in that case leaves a long body unread. */
  check(request: FastifyRequest, reply: FastifyReply): void {
    const [account] = this.#devices.accountsOf(request);
    if (account !== undefined && this.#ofDevice.waitMs(account) === 0) {
      this.#ofDevice.take(account);
      return;
    }
    const waitMs = this.#takeAsStranger(request.ip);
    if (waitMs === 0) return;
    leaveBodyUnread(request, reply);
    throw this.#refusal(Math.ceil(waitMs / 1000));
  }

  /** Returns a cached refusal. There are few, since no wait is longer than one token takes to refill. */
  #refusal(retryAfterSeconds: number): Refusal {
    const limit = this.#limits.address.burst;
    const cached = this.#refusals.get(retryAfterSeconds);
    const refusal = cached ?? new Refusal('too_many_requests', { retryAfterSeconds, limit });
    this.#refusals.set(retryAfterSeconds, refusal);
    return refusal;
  }

  /** Takes tokens for a call; returns 0, or the milliseconds until a call from the address could pass. */
  #takeAsStranger(address: string): number {
    const { caller, site } = addressGroup(address);
    const buckets: [TokenBuckets, string][] = [
      [this.#ofAddress, caller],
      [this.#ofStrangers, allStrangers],
    ];
    if (site !== undefined) buckets.push([this.#ofNetwork, site]);
    const waitMs = Math.max(...buckets.map(([bucket, key]) => bucket.waitMs(key)));
    // A rejected call takes no tokens: it neither prolongs its own wait nor drains what others share.
    if (waitMs === 0) for (const [bucket, key] of buckets) bucket.take(key);
    return waitMs;
  }
}

/** Returns how many buckets can be below full at once: as many as calls pass while one refills. */
function capacityFor({ burst, perSecond }: Rate, strangers: Rate): number {
  return Math.ceil(strangers.burst + (strangers.perSecond * burst) / perSecond);
}
