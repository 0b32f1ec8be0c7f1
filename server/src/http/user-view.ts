import type { CurrentUser } from '@hengfu/contract/session';
import type { Person } from '#domain/caller.ts';

/** Maps a signed-in person to the user that the console receives. */
export function userView(person: Person): CurrentUser {
  const { code, name, currency, zone } = person.home;
  return {
    id: String(person.userId),
    name: person.name,
    email: person.email,
    roles: person.roles,
    perms: person.perms,
    twoFactor: person.twoFactor,
    factors: person.factors,
    zone: person.ownZone ?? zone,
    language: person.language,
    merchant: { code, name, currency, zone, mode: person.mode },
    hasOtherMerchants: person.hasOtherMerchants,
  };
}
