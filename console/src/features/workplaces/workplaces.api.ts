import { workplaceEndpoints } from '@hengfu/contract/workplaces';
import { call } from '../../platform/http.ts';
import { reading } from '../../platform/reading.ts';

/** The merchants that the signed-in person works for. */
export const workplacesQuery = reading(workplaceEndpoints.list);

/**
 * Makes the session work for a merchant, and opens the console there by a full page load, so that nothing that this page keeps in
 * memory goes along.
 */
export async function enterMerchant(code: string, target = '/'): Promise<void> {
  await call(workplaceEndpoints.choose, { body: { merchant: code } });
  location.assign(target);
}
