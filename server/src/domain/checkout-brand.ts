import { checkoutEndpoints, type PayerBrand } from '@hengfu/contract/checkout';

/** Returns the path of a logo by its name. */
export function logoPathOf(name: string | null): string | null {
  return name === null ? null : checkoutEndpoints.logo.path.replace(':logo', name);
}

/** How a merchant has set its appearance; null where it has not. */
interface OwnBrand {
  name: string | null;
  color: string | null;
  logoName: string | null;
}

/** Returns how a merchant appears to its payers. A name of its own choice comes with the registered one: it may be that of another company. */
export function payerBrandOf({ name, color, logoName }: OwnBrand, registeredName: string): PayerBrand {
  return {
    name: name ?? registeredName,
    color,
    logo: logoPathOf(logoName),
    registeredName: name === null || name === registeredName ? null : registeredName,
  };
}
