import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/refusal.ts';
import { addressGroup } from '#security/address-group.ts';
import type { DeviceCookies } from './device-cookie.ts';
import { type Rate, TokenBuckets } from './token-buckets.ts';
import { leaveBodyUnread } from './unread-body.ts';

/** Sign-in calls that one process takes. */
export interface SignInLimits {
  /** From one address; from one /64 of IPv6. */
  address: Rate;
  /** From one /48 of IPv6. */
  network: Rate;
  /** From the known browsers of one account. */
  device: Rate;
  /** From all addresses together, known browsers apart. */
  strangers: Rate;
}

/**
 * An office of a hundred that comes in at nine takes three calls a person, most of them from known browsers. Hashing keeps
 * up with some thirty sign-ins a second on two cores: what passes here beyond that is refused by its queue.
 */
export const usualSignInLimits: SignInLimits = {
  address: { burst: 120, perSecond: 4 },
  network: { burst: 480, perSecond: 16 },
  device: { burst: 20, perSecond: 1 / 3 },
  strangers: { burst: 600, perSecond: 200 },
};

/** Known browsers are few: a key of theirs takes an account. One that is forgotten is full again, and no more. */
const mostDevices = 10_000;
const everybody = 'everybody';

/**
 * Refuses floods of sign-in calls before their bodies are read. The buckets are this process's own and only keep the
 * load down; what limits guessing is counted in the database.
 *
 * Memory is bounded, and nobody can push a debt out of it: a bucket comes into being by a call that passes, and only so
 * many strangers' calls pass while a bucket refills (`mostOf`). Where there is room for as many buckets, the least
 * recently used one has refilled before it is forgotten, from however many addresses the calls come.
 */
export class SignInGate {
  readonly #devices: DeviceCookies;
  readonly #limits: SignInLimits;
  readonly #ofDevice: TokenBuckets;
  readonly #ofAddress: TokenBuckets;
  readonly #ofNetwork: TokenBuckets;
  readonly #ofStrangers: TokenBuckets;
  /** By their seconds. Made once: noting where an error comes from costs more than all the rest of refusing a call. */
  readonly #refusals = new Map<number, Refusal>();

  constructor(devices: DeviceCookies, limits: SignInLimits, now?: () => number) {
    const { address, network, device, strangers } = limits;
    this.#devices = devices;
    this.#limits = limits;
    this.#ofDevice = new TokenBuckets(device, mostDevices, now);
    this.#ofAddress = new TokenBuckets(address, mostOf(address, strangers), now);
    this.#ofNetwork = new TokenBuckets(network, mostOf(network, strangers), now);
    this.#ofStrangers = new TokenBuckets(strangers, 1, now);
  }

  /** Buckets in memory. */
  get size(): number {
    return this.#ofDevice.size + this.#ofAddress.size + this.#ofNetwork.size;
  }

  /** Throws `too_many_requests`, and then reads no more of the call than is cheap. */
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

  /** Nobody waits for longer than one token takes: there are few. */
  #refusal(retryAfterSeconds: number): Refusal {
    const limit = this.#limits.address.burst;
    const known = this.#refusals.get(retryAfterSeconds);
    const refusal = known ?? new Refusal('too_many_requests', { retryAfterSeconds, limit });
    this.#refusals.set(retryAfterSeconds, refusal);
    return refusal;
  }

  /** Milliseconds until a call from an address is taken; 0 where it is taken now. */
  #takeAsStranger(address: string): number {
    const { caller, site } = addressGroup(address);
    const buckets: [TokenBuckets, string][] = [
      [this.#ofAddress, caller],
      [this.#ofStrangers, everybody],
    ];
    if (site !== undefined) buckets.push([this.#ofNetwork, site]);
    const waitMs = Math.max(...buckets.map(([bucket, key]) => bucket.waitMs(key)));
    // A call that is refused takes nothing: neither does it prolong its own wait nor use up what others share.
    if (waitMs === 0) for (const [bucket, key] of buckets) bucket.take(key);
    return waitMs;
  }
}

/** Buckets that can be less than full at once: as many as calls pass while one refills. */
function mostOf({ burst, perSecond }: Rate, strangers: Rate): number {
  return Math.ceil(strangers.burst + (strangers.perSecond * burst) / perSecond);
}
