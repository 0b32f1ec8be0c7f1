import { checkoutEndpoints } from '@hengfu/contract/checkout';

/** Returns the path of a logo by its name. */
export function logoPathOf(name: string | null): string | null {
  return name === null ? null : checkoutEndpoints.logo.path.replace(':logo', name);
}
