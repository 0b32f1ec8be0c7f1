import type { Services } from '#composition/services.ts';
import type { Home } from '#domain/caller.ts';
import { personOf } from './people.ts';
import { logoPicture } from './picture.ts';

const request = { id: 'demo', address: '127.0.0.1', userAgent: undefined, language: 'zh-cn' } as const;

/** The look of each demo merchant's checkout page: a seedling, and a lotus. */
const brands: Readonly<Record<string, { name: string; color: string; logo: Buffer }>> = {
  demo: {
    name: '青禾优选',
    color: '#0b7a4b',
    logo: logoPicture('#0b7a4b', [
      { x: 0, y: 0.3, long: 0.45, short: 0.06, turn: 90 },
      { x: -0.32, y: -0.12, long: 0.42, short: 0.19, turn: 35 },
      { x: 0.32, y: -0.3, long: 0.42, short: 0.19, turn: -35 },
    ]),
  },
  other: {
    name: 'Sen Việt',
    color: '#b0215e',
    logo: logoPicture('#b0215e', [
      { x: 0, y: -0.1, long: 0.55, short: 0.2, turn: 90 },
      { x: -0.3, y: 0.08, long: 0.5, short: 0.18, turn: 55 },
      { x: 0.3, y: 0.08, long: 0.5, short: 0.18, turn: -55 },
      { x: 0, y: 0.62, long: 0.5, short: 0.07, turn: 0 },
    ]),
  },
};

/** Gives a demo merchant the name, color and logo that its payers see. */
export async function seedBrand({ checkout }: Services, home: Home, userId: bigint): Promise<void> {
  const brand = brands[home.code];
  if (!brand) return;
  const logo = brand.logo.toString('base64');
  await checkout.set(personOf(home, userId), request, { ...brand, logo });
}
