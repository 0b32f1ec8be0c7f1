/** Nonce of the page's content security policy, for the style elements that Base UI adds at run time. */
export const cspNonce: string | undefined = document.querySelector<HTMLElement>('[nonce]')?.nonce;
